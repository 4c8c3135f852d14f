import { Alert, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Sender, SenderTest } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { MessageContent } from '../messages/message-content.tsx';
import { FAILURE_WORDS } from './words.ts';

/** Sends a small fixed message to an address, and says what came of it. */
export function TestSender({ sender: { id, name }, onClose }: { sender: Sender; onClose: () => void }) {
  const client = useClient();
  return <SendTest title={`Test “${name}”`} send={(to) => client.testSender({ id, to })} onClose={onClose} />;
}

/** Asks where a test is to go, sends it, and says what came of it. */
export function SendTest({
  title,
  send,
  fields,
  onClose,
}: {
  title: string;
  send: (to: string) => Promise<SenderTest>;
  /** What else is asked, by what was wrong with a field. */
  fields?: (wrong: (field: string) => string | undefined) => ReactNode;
  onClose: () => void;
}) {
  const [to, setTo] = useState('');
  const test = useMutation({ mutationFn: () => send(to.trim()) });
  const mayRead = useAllows('messages:read', 'profiles:read', 'events:read');
  const { wrong, rest } = refusalOf(test.error, ['to', 'sender_id']);
  return (
    <Modal opened onClose={onClose} title={title}>
      <ActionForm
        verb="Send a test"
        failure="It was not tested"
        error={rest}
        isPending={test.isPending}
        isDisabled={to.trim() === ''}
        cancel="Close"
        onCancel={onClose}
        onSubmit={test.mutate}
      >
        <TextInput
          label="To"
          description="Your own address, say."
          required
          maxLength={254}
          data-autofocus
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          error={wrong('to')}
        />
        {fields?.(wrong)}
        {test.data && <Result test={test.data} />}
        {test.data?.message_id && mayRead && <MessageContent messageId={test.data.message_id} />}
      </ActionForm>
    </Modal>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  accepted: 'The server has taken it',
  refused: 'The server refused it',
  failed: 'It could not be handed over',
};

function Result({ test: { outcome, response, reason, maybe_sent } }: { test: SenderTest }) {
  return (
    <Alert color={outcome === 'accepted' ? 'green' : 'red'} title={wordsOf(TITLES, String(outcome))} role="status">
      {response ?? (reason === null ? '' : wordsOf(FAILURE_WORDS, String(reason)))}
      {outcome === 'failed' && maybe_sent && ' It may have arrived all the same.'}
    </Alert>
  );
}
