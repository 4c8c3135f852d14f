import { Button } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { useNewDialog } from './use-new-dialog.ts';

/** The button of a page that opens a dialog, such as one to create something; its address with `#new` does so, too. */
export function OpenButton({
  text,
  icon = <PlusIcon />,
  children,
}: {
  text: string;
  icon?: ReactNode;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, { open, close }] = useNewDialog();
  return (
    <>
      <Button leftSection={icon} onClick={open}>
        {text}
      </Button>
      {isOpen && children(close)}
    </>
  );
}
