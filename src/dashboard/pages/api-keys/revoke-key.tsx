import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { useCaller } from '../../session/current-caller.tsx';

/** Asks once more, then revokes a key. */
export function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useClient();
  const current = useCaller();
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
    <Confirmation
      title={`Revoke “${name}”?`}
      verb="Revoke"
      failure="The key was not revoked"
      action={revocation}
      onClose={onClose}
    >
      Requests with this key are refused within a second, permanently. What it recorded stays.
      {current?.id === id && ' You are signed in with this key: you will be signed out.'}
    </Confirmation>
  );
}
