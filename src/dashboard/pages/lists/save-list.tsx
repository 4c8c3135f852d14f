import { Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { List } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { listPath, useRefreshLists } from './use-lists.ts';

/** Creates a list, or changes the name of one and the id that it has elsewhere. */
export function SaveList({ list, onClose }: { list?: List; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshLists();
  const navigate = useNavigate();
  const [name, setName] = useState(list?.name ?? '');
  const [sourceId, setSourceId] = useState(list?.source_id ?? '');
  const saving = useMutation({
    mutationFn: () => {
      const [given, elsewhere] = [name.trim(), sourceId.trim()];
      return list
        ? client.updateList({ id: list.id, name: given, source_id: elsewhere || null })
        : client.createList({ name: given, ...(elsewhere && { source_id: elsewhere }) });
    },
    onSuccess: async ({ id }) => {
      onClose();
      await refresh();
      if (!list) navigate(listPath(id));
    },
  });
  const { wrong, rest } = refusalOf(saving.error, ['name', 'source_id']);
  return (
    <Modal opened onClose={onClose} title={list ? `Change “${list.name}”` : 'Create a list'}>
      <ActionForm
        verb={list ? 'Save' : 'Create'}
        failure="The list was not saved"
        error={rest}
        isPending={saving.isPending}
        isDisabled={name.trim() === ''}
        onSubmit={saving.mutate}
      >
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={wrong('name')}
        />
        <TextInput
          label="Id in another system"
          description="Subscriptions that name it join this list."
          maxLength={255}
          value={sourceId}
          onChange={({ currentTarget }) => setSourceId(currentTarget.value)}
          error={wrong('source_id')}
        />
      </ActionForm>
    </Modal>
  );
}
