import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Confirmation } from './confirmation.tsx';

/** Asks once more, then deletes something. */
export function Deletion({
  kind,
  name,
  remove,
  refresh,
  leadsTo,
  done = `The ${kind} “${name}” is gone.`,
  onClose,
  children,
}: {
  /** What it is: `list`. */
  kind: string;
  name: string;
  remove: () => Promise<unknown>;
  /** Has read anew what may have shown it. */
  refresh: () => Promise<unknown>;
  /** The page to go to, where this one is its own. */
  leadsTo?: string;
  done?: string;
  onClose: () => void;
  /** What goes with it. */
  children: ReactNode;
}) {
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      if (leadsTo === undefined) onClose();
      else navigate(leadsTo);
      notifications.show({ title: 'Deleted', message: done });
      await refresh();
    },
  });
  return (
    <Confirmation
      title={`Delete “${name}”?`}
      verb="Delete"
      failure={`The ${kind} was not deleted`}
      action={deletion}
      onClose={onClose}
    >
      {children}
    </Confirmation>
  );
}
