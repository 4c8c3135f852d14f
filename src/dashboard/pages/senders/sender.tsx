import { Button, Code, DataList } from '@mantine/core';
import { PaperAirplaneIcon, PencilIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { Sender as SenderData } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Section } from '../../components/section.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { EndpointName } from '../webhooks/endpoint-name.tsx';
import { CameBack } from './came-back.tsx';
import { Checks } from './checks.tsx';
import { DeleteSender } from './delete-sender.tsx';
import { SaveSender } from './save-sender.tsx';
import { SenderState } from './sender-state.tsx';
import { TestSender } from './test-sender.tsx';
import { CLASS_WORDS, KIND_WORDS } from './words.ts';

/** One sender: whom messages come from, and whether they are likely to arrive. */
export function Sender() {
  const { senderId = '' } = useParams();
  const query = useOperation('getSender', { id: senderId });
  const { data } = query;
  return (
    <PageOfOne
      query={query}
      kind="Sender"
      all="All senders"
      to="/senders"
      title={data?.name}
      actions={data && data.deleted_at === null && <Actions sender={data} />}
    >
      {(sender) => (
        <>
          <About sender={sender} />
          <Checks sender={sender} />
          {sender.deleted_at === null && <CameBack sender={sender} />}
        </>
      )}
    </PageOfOne>
  );
}

function Actions({ sender }: { sender: SenderData }) {
  const [open, setOpen] = useState<'test' | 'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  if (!useAllows('messages:send')) return null;
  return (
    <>
      <Button variant="default" leftSection={<PaperAirplaneIcon />} onClick={() => setOpen('test')}>
        Test
      </Button>
      <Button variant="default" leftSection={<PencilIcon />} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      {sender.kind !== 'outbox' && (
        <Button variant="default" c="red" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      )}
      {open === 'test' && <TestSender sender={sender} onClose={close} />}
      {open === 'edit' && <SaveSender sender={sender} onClose={close} />}
      {open === 'delete' && <DeleteSender sender={sender} onClose={close} />}
    </>
  );
}

function About({ sender }: { sender: SenderData }) {
  const { id, kind, from_email, from_name, reply_to, settings, dkim_selector, dkim_record } = sender;
  const { max_per_second, max_per_day, max_concurrent } = sender;
  return (
    <Section title="About the sender">
      <DataList>
        <Item label="State">
          <SenderState sender={sender} />
        </Item>
        <Item label="Kind">{wordsOf(KIND_WORDS, String(kind))}</Item>
        <Item label="From">
          {settings?.from ?? settings?.messaging_service_sid ?? fromWords(from_name, from_email)}
        </Item>
        {reply_to !== null && <Item label="Answers go to">{reply_to}</Item>}
        {settings?.endpoint_id && (
          <Item label="Endpoint">
            <EndpointName id={settings.endpoint_id} />
          </Item>
        )}
        {settings?.account_sid && (
          <Item label="Account">
            {settings.account_sid}
            {settings.api_key_sid && `, by the key ${settings.api_key_sid}`}
          </Item>
        )}
        {kind === 'smtp' && settings && <Item label="Server">{serverWords(settings)}</Item>}
        {dkim_selector !== null && <Item label="DKIM selector">{dkim_selector}</Item>}
        {dkim_record !== null && (
          <Item label="TXT record">
            {`${dkim_selector}._domainkey.${from_email?.split('@').at(-1)}`}
            <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {dkim_record}
            </Code>
          </Item>
        )}
        <Item label="Sends">{wordsOf(CLASS_WORDS, String(sender.class))}</Item>
        <Item label="Limits">
          {count(max_per_second)} in a second, {max_per_day === null ? 'any number' : count(max_per_day)} in a day,{' '}
          {count(max_concurrent)} at a time
        </Item>
        <Item label="Today">{todayWords(sender)}</Item>
        {sender.warm_up && <Item label="Warm-up">{warmUpWords(sender.warm_up)}</Item>}
        <Item label="Id">
          <Code>{id}</Code>
        </Item>
      </DataList>
    </Section>
  );
}

function fromWords(name: string | null, email: string | null): string {
  if (email === null) return name ?? '–';
  return name === null ? email : `${name} <${email}>`;
}

/** What it has sent on this day of UTC, and what is left of what it may. */
function todayWords({ sent_today, max_per_day, warm_up }: SenderData): string {
  const limits = [max_per_day, warm_up?.limit_today].filter((one) => typeof one === 'number');
  if (limits.length === 0) return `${count(sent_today)} sent`;
  const limit = Math.min(...limits);
  return `${count(sent_today)} of ${count(limit)} sent, ${count(Math.max(0, limit - sent_today))} left`;
}

function warmUpWords({
  first_per_day,
  target_per_day,
  limit_today,
  days_left,
}: NonNullable<SenderData['warm_up']>): string {
  const ladder = `From ${count(first_per_day)} to ${count(target_per_day)} in a day`;
  if (limit_today === null) return `${ladder}: it is warm`;
  const days = days_left === 1 ? 'after this day' : `after ${count(days_left)} days on which it sends`;
  return `${ladder}: ${count(limit_today)} today, and warm ${days}`;
}

function serverWords({ shared, host, port, security, user }: NonNullable<SenderData['settings']>): string {
  if (shared) return 'That of the operator';
  return [`${host}:${port}`, security === 'tls' ? 'TLS' : 'STARTTLS', user === null ? 'no login' : `as ${user}`].join(
    ', ',
  );
}
