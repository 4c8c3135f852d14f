import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Of the address of a page that creates something in a dialog: it opens that. */
export const NEW = '#new';

/** Whether the dialog of a page that creates something is open, and how to open and to close it. */
export function useNewDialog(): ReturnType<typeof useDisclosure> {
  const { hash, key } = useLocation();
  const [isOpen, handlers] = useDisclosure(hash === NEW);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever comes by the same address again wants another one.
  useEffect(() => {
    if (hash === NEW) handlers.open();
  }, [key]);
  return [isOpen, handlers];
}
