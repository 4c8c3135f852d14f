import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { StoreSettings } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';

/** Whether people may sign in with API keys, which owners choose. */
export function KeySignIn({ settings }: { settings: StoreSettings }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (key_sign_in: boolean) => client.updateStore({ key_sign_in }),
    onSuccess: (after) => queryClient.setQueryData(['getStore', {}], after),
  });
  return (
    <Switch
      label="People may sign in with an API key"
      description="Otherwise with an e-mail address and a password alone: who has signed in with a key is signed out. Programs go on."
      checked={settings.key_sign_in ?? true}
      disabled={change.isPending}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      error={change.error && `This was not changed: ${change.error.message}`}
    />
  );
}
