import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { count } from '../../components/numbers.ts';
import { useRefreshWebhooks } from './use-endpoints.ts';

/** Asks once more, then deletes an endpoint. */
export function DeleteEndpoint({
  endpoint: { id, name, queued },
  onClose,
}: {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const deletion = useMutation({
    mutationFn: () => client.deleteWebhookEndpoint({ id }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: 'Deleted', message: `Nothing is sent to “${name}” any more.` });
      await refresh();
    },
  });
  return (
    <Confirmation
      title={`Delete “${name}”?`}
      verb="Delete"
      failure="The endpoint was not deleted"
      action={deletion}
      onClose={onClose}
    >
      Nothing is sent to it any more, permanently, and its secret is erased.
      {queued > 0 && ` What waits for it (${count(queued)}) fails.`} Its deliveries can still be looked at for 30 days.
    </Confirmation>
  );
}
