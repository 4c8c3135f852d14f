import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Failure } from '../../components/states.tsx';
import { useCurrentKey } from '../../session/current-key.tsx';

/** Asks once more, then revokes a key. */
export function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useClient();
  const current = useCurrentKey();
  const queryClient = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => client.revokeApiKey({ id }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: 'Revoked', message: `“${name}” is refused from now on.` });
      await queryClient.invalidateQueries({ queryKey: ['listApiKeys'] });
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Revoke “${name}”?`}>
      <Stack>
        <Text size="sm">
          Requests with this key are refused within a second, permanently. What it recorded stays.
          {current?.api_key.id === id && ' You are signed in with this key: you will be signed out.'}
        </Text>
        {revocation.error && <Failure error={revocation.error} title="The key was not revoked" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={revocation.isPending} onClick={() => revocation.mutate()}>
            Revoke
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
