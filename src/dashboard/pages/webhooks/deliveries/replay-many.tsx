import { Alert, Modal, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { ActionForm } from '../../../components/action-form.tsx';
import { count } from '../../../components/numbers.ts';
import { TimeInput } from '../../../components/time-input.tsx';
import { useRefreshWebhooks } from '../use-endpoints.ts';
import { replayAll } from './replay-all.ts';

/** Sends what has failed, or was held, once more: all of it, or what was created within a time. */
export function ReplayMany({
  endpoint: { id, name, status: state },
  initial,
  onClose,
}: {
  endpoint: WebhookEndpoint;
  /** What the list shows, to begin with. */
  initial: { status: string | undefined; from: string; to: string };
  onClose: () => void;
}) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const [status, setStatus] = useState<'failed' | 'held'>(initial.status === 'held' ? 'held' : 'failed');
  const [from, setFrom] = useState(initial.from);
  const [to, setTo] = useState(initial.to);
  const [done, setDone] = useState(0);
  const replay = useMutation({
    mutationFn: () => replayAll(client, { id, status, ...(from && { from }), ...(to && { to }) }, setDone),
    onSuccess: (replayed) => {
      onClose();
      const message =
        replayed === 0 ? 'There was nothing to replay.' : `Sent once more: ${count(replayed)} deliveries.`;
      notifications.show({ title: name, message });
    },
    onSettled: refresh,
  });
  const isDisabled = state === 'disabled';
  return (
    <Modal opened onClose={onClose} title="Replay several deliveries">
      <ActionForm
        verb="Replay"
        failure="Not all of them are sent again"
        error={replay.error}
        isPending={replay.isPending}
        isDisabled={isDisabled}
        onCancel={onClose}
        onSubmit={replay.mutate}
      >
        <Text size="sm">
          Each is sent again with the same id and the same body. Those that have expired are left out.
        </Text>
        {isDisabled && (
          <Alert color="yellow" role="status">
            The endpoint is disabled: enable it first.
          </Alert>
        )}
        <Radio.Group label="Which" value={status} onChange={(value) => setStatus(value as typeof status)}>
          <Stack gap="xs" mt="xs">
            <Radio value="failed" label="Failed" description="All attempts have failed." data-autofocus />
            <Radio value="held" label="Held" description="The endpoint was disabled when they were to be sent." />
          </Stack>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TimeInput label="Created from" value={from} onChange={setFrom} />
          <TimeInput label="Created until" value={to} onChange={setTo} />
        </SimpleGrid>
        {done > 0 && (
          <Text size="sm" role="status">
            {count(done)} so far
          </Text>
        )}
      </ActionForm>
    </Modal>
  );
}
