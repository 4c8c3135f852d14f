import { Checkbox, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { replayAll } from './deliveries/replay-all.ts';
import { useRefreshWebhooks } from './use-endpoints.ts';

/** Asks once more, then disables an endpoint, or enables it again. */
export function SwitchEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  // It stays what was asked, whatever is read meanwhile.
  const [{ id, url, name, max_per_second, max_concurrent, secret_headers, status: before }] = useState(endpoint);
  const isEnabled = before !== 'disabled';
  const [replays, setReplays] = useState(false);
  const change = useMutation({
    mutationFn: async () => {
      const status = isEnabled ? 'disabled' : 'active';
      await client.updateWebhookEndpoint({ id, url, name, max_per_second, max_concurrent, secret_headers, status });
      if (replays) await replayAll(client, { id, status: 'held' });
    },
    onSuccess: () => {
      onClose();
      notifications.show({ title: name, message: isEnabled ? 'It is disabled.' : 'It is enabled again.' });
    },
    onSettled: refresh,
  });
  const verb = isEnabled ? 'Disable' : 'Enable';
  return (
    <Modal opened onClose={onClose} title={`${verb} “${name}”?`}>
      <ActionForm
        verb={verb}
        failure="Not everything was done"
        error={change.error}
        isPending={change.isPending}
        isGrave={isEnabled}
        onCancel={onClose}
        onSubmit={change.mutate}
      >
        <Text size="sm">
          {isEnabled
            ? 'Nothing is sent to it until it is enabled again. What automations send meanwhile is held for 30 days, and can be replayed.'
            : 'Messages are sent to it again, with a clean record.'}
        </Text>
        {!isEnabled && (
          <Checkbox
            label="Send what was held, too"
            description="But for what has expired. Without it, what was held stays as it is until you replay it."
            checked={replays}
            onChange={({ currentTarget }) => setReplays(currentTarget.checked)}
          />
        )}
      </ActionForm>
    </Modal>
  );
}
