import type { WebhookEndpoint } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Deletion } from '../../components/deletion.tsx';
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
  return (
    <Deletion
      kind="endpoint"
      name={name}
      remove={() => client.deleteWebhookEndpoint({ id })}
      refresh={useRefreshWebhooks()}
      done={`Nothing is sent to “${name}” any more.`}
      onClose={onClose}
    >
      Nothing is sent to it any more, permanently, and its secret is erased.
      {queued > 0 && ` What waits for it (${count(queued)}) fails.`} Its deliveries can still be looked at for 30 days.
    </Deletion>
  );
}
