import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { NewSecret } from './new-secret.tsx';
import { useRefreshWebhooks } from './use-endpoints.ts';

/** Asks once more, then replaces the secret of an endpoint, and shows the new one: this once. */
export function RotateSecret({ endpoint: { id, name }, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const rotation = useMutation({ mutationFn: () => client.rotateWebhookSecret({ id }), onSuccess: refresh });
  const { data, error, isPending } = rotation;
  const until = data?.endpoint.previous_secrets_until;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={data ? `The new secret of “${name}”` : `Rotate the secret of “${name}”?`}
      closeOnClickOutside={!data}
      closeOnEscape={!data}
    >
      {data ? (
        <NewSecret secret={data.secret} onDone={onClose}>
          {until && (
            <Text size="sm">
              Until <Time value={until} /> every message has two signatures: one by this secret, and one by the secret
              before it.
            </Text>
          )}
        </NewSecret>
      ) : (
        <Stack>
          <Text size="sm">
            You get a new secret. Both sign for 24 hours, so that you can exchange it in your system without a gap;
            after that, only the new one does.
          </Text>
          {error && <Failure error={error} title="The secret was not rotated" />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              Cancel
            </Button>
            <Button loading={isPending} onClick={() => rotation.mutate()}>
              Rotate
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
