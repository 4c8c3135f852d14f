import { Modal, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { List } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { listPath, useRefreshLists } from './use-lists.ts';

/** Creates a list, or changes what there is to say of one. */
export function SaveList({ list, onClose }: { list?: List; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshLists();
  const navigate = useNavigate();
  const [name, setName] = useState(list?.name ?? '');
  const [sourceId, setSourceId] = useState(list?.source_id ?? '');
  const [isTopic, setIsTopic] = useState(list?.topic ?? false);
  const [publicName, setPublicName] = useState(list?.public_name ?? '');
  const saving = useMutation({
    mutationFn: () => {
      const [given, elsewhere] = [name.trim(), sourceId.trim()];
      const ofTopic = { topic: isTopic, public_name: publicName.trim() || null };
      return list
        ? client.updateList({ id: list.id, name: given, source_id: elsewhere || null, ...ofTopic })
        : client.createList({ name: given, ...(elsewhere && { source_id: elsewhere }), ...ofTopic });
    },
    onSuccess: async ({ id }) => {
      onClose();
      await refresh();
      if (!list) navigate(listPath(id));
    },
  });
  const { wrong, rest } = refusalOf(saving.error, ['name', 'source_id', 'topic', 'public_name']);
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
        <Switch
          label="Customers choose by themselves whether they are in it"
          description="Then it is on the page of their preferences, which messages lead to."
          checked={isTopic}
          onChange={({ currentTarget }) => setIsTopic(currentTarget.checked)}
          error={wrong('topic')}
        />
        {isTopic && (
          <TextInput
            label="What they read there"
            description="Empty: the name."
            maxLength={100}
            value={publicName}
            onChange={({ currentTarget }) => setPublicName(currentTarget.value)}
            error={wrong('public_name')}
          />
        )}
      </ActionForm>
    </Modal>
  );
}
