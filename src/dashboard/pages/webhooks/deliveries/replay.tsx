import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { SyncIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookDelivery } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { useRefreshWebhooks } from '../use-endpoints.ts';

/** Sends a delivery once more; asks first where it has arrived already. */
export function Replay({ delivery: { id, status } }: { delivery: WebhookDelivery }) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const [isAsking, setIsAsking] = useState(false);
  const replay = useMutation({
    mutationFn: () => client.replayWebhookDelivery({ id }),
    onSuccess: async () => {
      notifications.show({ title: 'Replayed', message: 'It is sent once more, with the same id and body.' });
      await refresh();
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: 'It was not replayed', message }),
    onSettled: () => setIsAsking(false),
  });
  if (status === 'pending' || status === 'sending' || status === 'expired') return null;
  const hasArrived = status === 'delivered';
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
      <Modal opened={isAsking} onClose={() => setIsAsking(false)} title="Send it a second time?">
        <Stack>
          <Text size="sm">
            It has been delivered. A system that does not remember its id does again what it did: it may write to the
            customer once more.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsAsking(false)} data-autofocus>
              Cancel
            </Button>
            <Button color="red" loading={replay.isPending} onClick={() => replay.mutate()}>
              Send again
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
