import { Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionForm } from '../../components/action-form.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { useAsk } from './requests.ts';

export function NameForm({ name, email }: { name: string; email: string }) {
  const [value, setValue] = useState(name);
  const queryClient = useQueryClient();
  const saving = useAsk('PUT', 'account/name', () => {
    notifications.show({ title: 'Name', message: 'It is saved.' });
    void queryClient.invalidateQueries({ queryKey: ['getSession'] });
  });
  const { wrong, rest } = refusalOf(saving.error, ['name']);
  return (
    <ActionForm
      verb="Save the name"
      failure="The name was not saved"
      error={rest}
      isPending={saving.isPending}
      isDisabled={value.trim() === '' || value === name}
      onSubmit={() => saving.mutate({ name: value })}
    >
      <Text size="sm">You sign in with {email}.</Text>
      <TextInput
        label="Name"
        description="What colleagues see, and the history of what you change."
        autoComplete="name"
        maxLength={100}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
        error={wrong('name')}
      />
    </ActionForm>
  );
}
