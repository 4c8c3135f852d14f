import { Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { objectIn } from '../../components/json-object.ts';
import { JsonObjectInput } from '../../components/json-object-input.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { TimeInput } from '../../components/time-input.tsx';
import { CustomerFields, type NamedCustomer, NOBODY, referenceTo } from '../profiles/customer-fields.tsx';
import { SenderSelect } from '../senders/sender-select.tsx';
import { TemplateSelect } from '../templates/template-select.tsx';
import { messagePath, useRefreshMessages } from './use-messages.ts';

/** Sends what a template says to one customer, and goes on to what becomes of it. */
export function SendMessage({ to = NOBODY, onClose }: { to?: NamedCustomer; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshMessages();
  const navigate = useNavigate();
  const [templateId, setTemplateId] = useState('');
  const [customer, setCustomer] = useState(to);
  const [senderId, setSenderId] = useState('');
  const [eventId, setEventId] = useState('');
  const [json, setJson] = useState('{}');
  const [sendAt, setSendAt] = useState('');
  const profile = referenceTo(customer);
  const data = objectIn(json);
  const sending = useMutation({
    mutationFn: (given: { profile: Record<string, string>; data: Record<string, unknown> }) =>
      client.sendMessage({
        template_id: templateId,
        ...given,
        ...(senderId !== '' && { sender_id: senderId }),
        ...(eventId.trim() !== '' && { event_id: eventId.trim() }),
        ...(sendAt !== '' && { send_at: sendAt }),
      }),
    onSuccess: async ({ id }) => {
      onClose();
      notifications.show({ title: 'Stored', message: 'The message will be sent.' });
      navigate(messagePath(id));
      await refresh();
    },
  });
  const { wrong, rest } = refusalOf(sending.error, ['template_id', 'sender_id', 'event_id', 'send_at', 'profile']);
  return (
    <Modal opened onClose={onClose} size="lg" title="Send a message">
      <ActionForm
        verb="Send"
        failure="The message was not sent"
        error={rest}
        isPending={sending.isPending}
        isDisabled={templateId === '' || !profile || !data}
        onSubmit={() => profile && data && sending.mutate({ profile, data })}
      >
        <TemplateSelect
          description="One that is published; it says whether it is marketing."
          placeholder="Choose a template"
          required
          value={templateId}
          onChange={setTemplateId}
          fits={({ use, status }) => use === 'message' && status === 'published'}
          error={wrong('template_id')}
        />
        <CustomerFields required value={customer} onChange={setCustomer} error={wrong('profile')} />
        <SenderSelect
          placeholder="The default sender of the store"
          value={senderId}
          onChange={setSenderId}
          error={wrong('sender_id')}
        />
        <TextInput
          label="Id of an event of the customer"
          description="What it is about, if the template says something of an event."
          value={eventId}
          onChange={({ currentTarget }) => setEventId(currentTarget.value)}
          error={wrong('event_id')}
        />
        <JsonObjectInput
          label="Data as JSON"
          description="What the template sees as data."
          value={json}
          onChange={setJson}
        />
        <TimeInput
          label="Not before"
          description="Empty: at once."
          value={sendAt}
          onChange={setSendAt}
          error={wrong('send_at')}
        />
      </ActionForm>
    </Modal>
  );
}
