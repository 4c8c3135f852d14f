import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Automation } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { useRefresh } from './use-refresh.ts';

/** Asks once more, then deletes an automation that never ran. */
export function DeleteAutomation({
  automation: { id, name },
  onClose,
}: {
  automation: Automation;
  onClose: () => void;
}) {
  const client = useClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => client.deleteAutomation({ id }),
    onSuccess: async () => {
      navigate('/automations');
      notifications.show({ title: 'Deleted', message: `The automation “${name}” is gone.` });
      await refresh();
    },
  });
  return (
    <Confirmation
      title={`Delete “${name}”?`}
      verb="Delete"
      failure="The automation was not deleted"
      action={deletion}
      onClose={onClose}
    >
      The automation is gone permanently. It never ran, so nothing else goes with it.
    </Confirmation>
  );
}
