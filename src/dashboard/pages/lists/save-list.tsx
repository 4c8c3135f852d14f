import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { List } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { NameField, SaveDialog } from '../../components/save-dialog.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { TemplateSelect } from '../templates/template-select.tsx';
import { listPath, useRefreshLists } from './use-lists.ts';

const FIELDS = ['name', 'source_id', 'topic', 'public_name', 'confirmation_template_id'];

/** Creates a list, or changes what there is to say of one. */
export function SaveList({ list, onClose }: { list?: List; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshLists();
  const maySend = useAllows('messages:send');
  const [name, setName] = useState(list?.name ?? '');
  const [sourceId, setSourceId] = useState(list?.source_id ?? '');
  const [isTopic, setIsTopic] = useState(list?.topic ?? false);
  const [publicName, setPublicName] = useState(list?.public_name ?? '');
  const [wasDouble, formerTemplate] = [list?.opt_in === 'double', list?.confirmation_template_id ?? ''];
  const [isDouble, setIsDouble] = useState(wasDouble);
  const [templateId, setTemplateId] = useState(formerTemplate);
  const save = () => {
    const [given, elsewhere] = [name.trim(), sourceId.trim()];
    const ofTopic = { topic: isTopic, public_name: publicName.trim() || null };
    const optIn = {
      ...(isDouble !== wasDouble && { opt_in: isDouble ? ('double' as const) : ('single' as const) }),
      ...(templateId !== formerTemplate && { confirmation_template_id: templateId || null }),
    };
    return list
      ? client.updateList({ id: list.id, name: given, source_id: elsewhere || null, ...ofTopic, ...optIn })
      : client.createList({ name: given, ...(elsewhere && { source_id: elsewhere }), ...ofTopic, ...optIn });
  };
  return (
    <SaveDialog
      what="list"
      changed={list?.name}
      fields={FIELDS}
      isDisabled={name.trim() === ''}
      save={save}
      refresh={refresh}
      pathOf={listPath}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <NameField value={name} error={wrong('name')} onChange={setName} />
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
          {maySend && (
            <Switch
              label="Those who subscribe confirm it by a message"
              description="Double opt-in: by the link in it they subscribe to e-mail and join the list."
              checked={isDouble}
              onChange={({ currentTarget }) => setIsDouble(currentTarget.checked)}
            />
          )}
          {maySend && isDouble && (
            <TemplateSelect
              label="Template of that message"
              description="Transactional, with the link {{ data.confirm_url }}."
              placeholder="A short text in English"
              value={templateId}
              onChange={setTemplateId}
              fits={({ use, kind, status }) => use === 'message' && kind !== 'sms' && status === 'published'}
              error={wrong('confirmation_template_id')}
            />
          )}
        </>
      )}
    </SaveDialog>
  );
}
