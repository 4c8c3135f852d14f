import { Checkbox, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyInput, Scope } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { NewKey } from './new-key.tsx';
import { PUBLIC_SCOPE, SCOPES } from './scopes.ts';

const DAYS: Record<string, number> = { '7': 7, '30': 30, '90': 90, '365': 365 };
const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
];

/** Creates a key, then shows it: this once. */
export function CreateKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const creation = useMutation({
    mutationFn: (input: ApiKeyInput) => client.createApiKey(input),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['listApiKeys'] }),
  });
  const close = () => {
    onClose();
    creation.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={creation.data ? `The key “${creation.data.api_key.name}”` : 'Create a key'}
      // A key that is shown this once is not to be lost by a slip.
      closeOnClickOutside={!creation.data}
      closeOnEscape={!creation.data}
    >
      {creation.data ? (
        <NewKey created={creation.data} onDone={close} />
      ) : (
        <KeyForm onSubmit={creation.mutate} error={creation.error} isPending={creation.isPending} />
      )}
    </Modal>
  );
}

function KeyForm({
  onSubmit,
  error,
  isPending,
}: {
  onSubmit: (input: ApiKeyInput) => void;
  error: Error | null;
  isPending: boolean;
}) {
  const [name, setName] = useState('');
  const [isPublic, setIsPublic] = useState(false);
  const [scopes, setScopes] = useState<Scope[]>(['events:write', 'profiles:write']);
  const [expiry, setExpiry] = useState('never');
  const submit = () => {
    const days = DAYS[expiry];
    const expires_at = days === undefined ? null : new Date(Date.now() + days * 86_400_000).toISOString();
    onSubmit({ name: name.trim(), scopes: isPublic ? [PUBLIC_SCOPE] : scopes, expires_at });
  };
  return (
    <ActionForm
      verb="Create"
      failure="The key was not created"
      error={error}
      isPending={isPending}
      isDisabled={name.trim() === '' || (!isPublic && scopes.length === 0)}
      onSubmit={submit}
    >
      <TextInput
        label="Name"
        description="What the key is for, such as the shop that will use it."
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Radio.Group
        label="Used by"
        value={isPublic ? 'pages' : 'servers'}
        onChange={(value) => setIsPublic(value === 'pages')}
      >
        <Stack gap="xs" mt="sm">
          <Radio value="servers" label="Servers" description="A secret key, with the scopes below." />
          <Radio
            value="pages"
            label="Pages and apps"
            description="A public key: it sends events, profiles and subscriptions, and reads nothing."
          />
        </Stack>
      </Radio.Group>
      {!isPublic && <Scopes value={scopes} onChange={setScopes} />}
      <Select
        label="Expires"
        data={EXPIRIES}
        value={expiry}
        onChange={(value) => setExpiry(value ?? 'never')}
        allowDeselect={false}
      />
    </ActionForm>
  );
}

function Scopes({ value, onChange }: { value: Scope[]; onChange: (scopes: Scope[]) => void }) {
  return (
    <Checkbox.Group
      label="Scopes"
      description="What the key allows. Your own key can only grant scopes that it has."
      value={value}
      onChange={(values) => onChange(values as Scope[])}
    >
      <Stack gap="xs" mt="sm">
        {Object.entries(SCOPES).map(([scope, description]) => (
          <Checkbox key={scope} value={scope} label={scope} description={description} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
