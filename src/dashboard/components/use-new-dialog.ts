import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Of the address of a page that creates something in a dialog: it opens that. */
export const NEW = '#new';

/**
 * Whether the dialog of a page that creates something is open, and how to open and to close it. Once an address has opened it, it
 * is that of the page: whoever comes back to it, or loads it again, has not asked for another one.
 */
export function useNewDialog(): ReturnType<typeof useDisclosure> {
  const { hash, key, search } = useLocation();
  const navigate = useNavigate();
  const [isOpen, handlers] = useDisclosure(hash === NEW);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever comes by the same address again wants another one.
  useEffect(() => {
    if (hash !== NEW) return;
    handlers.open();
    navigate({ search }, { replace: true });
  }, [key]);
  return [isOpen, handlers];
}
