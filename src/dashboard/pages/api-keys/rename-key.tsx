import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';

/** Changes the name of a key; what it permits never changes. */
export function RenameKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [name, setName] = useState(apiKey.name);
  const renaming = useMutation({
    mutationFn: () => client.updateApiKey({ id: apiKey.id, name: name.trim() }),
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['listApiKeys'] });
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Rename “${apiKey.name}”`}>
      <ActionForm
        verb="Save"
        failure="The key was not renamed"
        error={renaming.error}
        isPending={renaming.isPending}
        isDisabled={name.trim() === ''}
        onSubmit={renaming.mutate}
      >
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </ActionForm>
    </Modal>
  );
}
