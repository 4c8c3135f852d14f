import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlusIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';

/** A button that opens a dialog, such as one to create something. */
export function OpenButton({
  text,
  icon = <PlusIcon />,
  children,
}: {
  text: string;
  icon?: ReactNode;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={icon} onClick={open}>
        {text}
      </Button>
      {isOpen && children(close)}
    </>
  );
}
