import { DataList, PasswordInput, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FeedbackProvider, Sender, SenderFeedback } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { ActionForm } from '../../components/action-form.tsx';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { refusalOf } from '../../components/refusal.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { KEY_LABELS, PROVIDER_WORDS } from './words.ts';

/** Who tells what becomes of messages after they were handed over, where to, and how much came in lately. */
export function CameBack({ sender: { id } }: { sender: Sender }) {
  const query = useOperation('getSenderFeedback', { id });
  return (
    <Section title="What comes back">
      <Loaded query={query}>
        {(feedback) => (
          <Stack>
            <Counts feedback={feedback} />
            <Form key={`${feedback.provider}`} id={id} feedback={feedback} />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function Counts({ feedback }: { feedback: SenderFeedback }) {
  const { events_url, dsn_url, last_received_at, unmatched_count } = feedback;
  const answers = feedback.subscribed_count + feedback.help_count + feedback.replied_count;
  return (
    <DataList>
      <Item label="Hooks go to">
        <CopyableCode code={events_url} label="Copy the URL of hooks" />
      </Item>
      <Item label="Delivery status goes to">
        <CopyableCode code={dsn_url} label="Copy the URL of delivery status" />
      </Item>
      <Item label="In seven days">
        {`${count(feedback.delivered_count)} delivered, ${count(feedback.deferred_count)} delayed, `}
        {`${count(feedback.bounced_count)} came back, ${count(feedback.complained_count)} complaints, `}
        {`${count(feedback.unsubscribed_count)} unsubscribed`}
        {answers > 0 && `, ${count(answers)} other answers`}
        {unmatched_count > 0 && `; ${count(unmatched_count)} of them of no message or customer of the store`}
      </Item>
      <Item label="Latest">{last_received_at === null ? 'Nothing yet' : <Time value={last_received_at} />}</Item>
    </DataList>
  );
}

const NOBODY = 'nobody';

function Form({ id, feedback }: { id: string; feedback: SenderFeedback }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const maySend = useAllows('messages:send');
  const [provider, setProvider] = useState(feedback.provider === null ? NOBODY : String(feedback.provider));
  const [secret, setSecret] = useState('');
  const [key, setKey] = useState('');
  const keyLabel = KEY_LABELS[provider];
  const saving = useMutation({
    mutationFn: () =>
      client.updateSenderFeedback({
        id,
        provider: provider === NOBODY ? null : (provider as FeedbackProvider),
        ...(secret !== '' && { secret }),
        ...(keyLabel && key !== '' && { key: key.trim() }),
      }),
    onSuccess: (after) => {
      queryClient.setQueryData(['getSenderFeedback', { id }], after);
      setSecret('');
      setKey('');
      notifications.show({ title: 'What comes back', message: 'It is saved.' });
    },
  });
  const { wrong, rest } = refusalOf(saving.error, ['provider', 'secret', 'key']);
  return (
    <ActionForm
      verb="Save"
      failure="It was not saved"
      error={rest}
      isPending={saving.isPending}
      isDisabled={!maySend}
      onSubmit={saving.mutate}
    >
      <Select
        label="Who tells it"
        allowDeselect={false}
        readOnly={!maySend}
        data={[
          { value: NOBODY, label: 'Nobody, or delivery status alone' },
          ...Object.entries(PROVIDER_WORDS).map(([value, label]) => ({ value, label })),
        ]}
        value={provider}
        onChange={(value) => setProvider(value ?? NOBODY)}
        error={wrong('provider')}
      />
      <PasswordInput
        label="Secret of your choice"
        description="24 characters at least. Delivery status and Postmark send it as a password; your own programs sign by it."
        placeholder={feedback.secret_set ? 'Stays as it is' : undefined}
        readOnly={!maySend}
        maxLength={200}
        autoComplete="off"
        value={secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        error={wrong('secret')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
      />
      {keyLabel && (
        <PasswordInput
          label={keyLabel}
          placeholder={feedback.key_set && provider === feedback.provider ? 'Stays as it is' : undefined}
          readOnly={!maySend}
          maxLength={1000}
          autoComplete="off"
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          error={wrong('key')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
        />
      )}
      <Text size="sm" c="dimmed">
        Secrets and keys are kept encrypted, and never shown.
      </Text>
    </ActionForm>
  );
}
