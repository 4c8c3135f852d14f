import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { SyncIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookDelivery } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { Confirmation } from '../../../components/confirmation.tsx';
import { useRefreshWebhooks } from '../use-endpoints.ts';

const FAILED = 'It was not replayed';

/** Sends a delivery once more; asks first where it has arrived already. */
export function Replay({ delivery: { id, status } }: { delivery: WebhookDelivery }) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const [isAsking, setIsAsking] = useState(false);
  const hasArrived = status === 'delivered';
  const replay = useMutation({
    mutationFn: () => client.replayWebhookDelivery({ id }),
    onSuccess: async () => {
      setIsAsking(false);
      notifications.show({ title: 'Replayed', message: 'It is sent once more, with the same id and body.' });
      await refresh();
    },
    onError: ({ message }) => {
      if (!hasArrived) notifications.show({ color: 'red', title: FAILED, message });
    },
  });
  if (status === 'pending' || status === 'sending' || status === 'expired') return null;
  return (
    <>
      <Button
        variant={hasArrived ? 'default' : 'filled'}
        leftSection={<SyncIcon />}
        onClick={() => (hasArrived ? setIsAsking(true) : replay.mutate())}
        loading={replay.isPending}
      >
        Replay
      </Button>
      {isAsking && (
        <Confirmation
          title="Send it a second time?"
          verb="Send again"
          failure={FAILED}
          action={replay}
          onClose={() => setIsAsking(false)}
        >
          It has been delivered. A system that does not remember its id does again what it did: it may write to the
          customer once more.
        </Confirmation>
      )}
    </>
  );
}
