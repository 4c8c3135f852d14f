import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { count } from '../../components/numbers.ts';
import { Failure } from '../../components/states.tsx';
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
    <Modal opened onClose={onClose} title={`Delete “${name}”?`}>
      <Stack>
        <Text size="sm">
          Nothing is sent to it any more, permanently, and its secret is erased.
          {queued > 0 && ` What waits for it (${count(queued)}) fails.`} Its deliveries can still be looked at for 30
          days.
        </Text>
        {deletion.error && <Failure error={deletion.error} title="The endpoint was not deleted" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
