import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiKey } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Failure } from '../../components/states.tsx';

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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={`Rename “${apiKey.name}”`}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          {renaming.error && <Failure error={renaming.error} title="The key was not renamed" />}
          <Group justify="flex-end">
            <Button type="submit" loading={renaming.isPending} disabled={name.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
