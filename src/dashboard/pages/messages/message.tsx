import { Anchor, Badge, Button, Code, DataList, Grid, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useParams } from 'react-router';
import type { Message as MessageData } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { plural } from '../../components/durations.ts';
import { Item } from '../../components/item.tsx';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { runPath } from '../automations/runs/run-table.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { senderPath } from '../senders/use-senders.ts';
import { WhySuppressed } from '../suppressions/why-suppressed.tsx';
import { templatePath, useTemplates } from '../templates/use-templates.ts';
import { CancelMessage } from './cancel-message.tsx';
import { MessageContent } from './message-content.tsx';
import { MessageTimeline } from './message-timeline.tsx';
import { UnknownFate } from './unknown-fate.tsx';
import { MESSAGE_COLORS, SOURCE_WORDS } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 3_000;

/** One message to a customer: what became of it, and what it says where that is kept. */
export function Message() {
  const { messageId = '' } = useParams();
  const query = useOperation('getMessage', { id: messageId }, { refetchInterval: REFRESH_MS });
  const maySend = useAllows('messages:send');
  const [isCancelling, { open, close }] = useDisclosure();
  const { data } = query;
  const name = useTemplates()?.find(({ id }) => id === data?.template_id)?.name;
  return (
    <>
      <PageOfOne
        query={query}
        kind="Message"
        all="All messages"
        to="/messages"
        title={name}
        actions={
          data?.status === 'waiting' &&
          maySend && (
            <Button variant="default" c="red" onClick={open}>
              Cancel
            </Button>
          )
        }
      >
        {(message) => <Details message={message} />}
      </PageOfOne>
      {isCancelling && <CancelMessage id={messageId} onClose={close} />}
    </>
  );
}

function Details({ message }: { message: MessageData }) {
  const { id, sender_id, status, begun_at } = message;
  const sender = useOperation('getSender', { id: sender_id }, { staleTime: 60_000 });
  const mayRead = useAllows('messages:read', 'profiles:read', 'events:read');
  const isKept = mayRead && sender.data?.kind === 'outbox' && begun_at !== null;
  return (
    <>
      {status === 'unknown' && <UnknownFate message={message} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Section title="State">
            <State message={message} senderName={sender.data?.name} />
          </Section>
          <Section title="Timeline" mt="lg">
            <MessageTimeline message={message} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          {isKept ? (
            <MessageContent key={begun_at} messageId={id} />
          ) : (
            <Section title="Content">
              <Text size="sm" c="dimmed">
                {sender.data?.kind === 'outbox'
                  ? 'There is none yet.'
                  : 'What leaves the store is not kept. The preview of its template shows what it says.'}
              </Text>
            </Section>
          )}
        </Grid.Col>
      </Grid>
    </>
  );
}

function State({ message, senderName }: { message: MessageData; senderName: string | undefined }) {
  const { id, profile_id, sender_id, template_id, template_version, source, source_id, run_id } = message;
  const { status, reason, address, expires_at } = message;
  const mayReadRuns = useAllows('automations:read', 'events:read', 'profiles:read');
  const link = (to: string, text: string) => (
    <Anchor component={Link} to={to} size="sm" underline="always">
      {text}
    </Anchor>
  );
  return (
    <DataList>
      <Item label="Status">
        <Badge color={colorOf(MESSAGE_COLORS, status)}>{status}</Badge>
      </Item>
      {(reason === 'suppressed' || reason === 'address_suppressed') && (
        <Item label="Why">
          <WhySuppressed message={message} />
        </Item>
      )}
      <Item label="Customer">
        <CustomerLink id={profile_id} />
      </Item>
      <Item label="Address">{address ?? '–'}</Item>
      <Item label="Template">
        {template_id === null
          ? 'The text that asks to confirm a subscription'
          : link(templatePath(template_id), `Version ${template_version}`)}
      </Item>
      <Item label="Class">{message.class}</Item>
      {message.segment_count !== null && <Item label="Segments">{message.segment_count}</Item>}
      <Item label="Sender">{link(senderPath(sender_id), senderName ?? sender_id)}</Item>
      <Item label="Sent by">
        {source === 'automation' && source_id && run_id && mayReadRuns
          ? link(runPath({ automation_id: source_id, id: run_id }), 'The run of an automation')
          : wordsOf(SOURCE_WORDS, source)}
      </Item>
      {expires_at && (
        <Item label="Not sent after">
          <Time value={expires_at} />
        </Item>
      )}
      <Item label="Id">
        <Code>{id}</Code>
      </Item>
      <Reactions message={message} />
    </DataList>
  );
}

/** What was done with a message that was sent; programs are named where there were any. */
function Reactions({ message }: { message: MessageData }) {
  const { opened_at, clicked_at, opens, clicks, machine_opens, machine_clicks } = message;
  if (opens + clicks + machine_opens + machine_clicks === 0) return null;
  return (
    <>
      <Item label="Opened">
        {opened_at ? (
          <>
            <Time value={opened_at} />, {plural(opens, 'time')}
          </>
        ) : (
          'Not that it is known'
        )}
      </Item>
      <Item label="Links followed">
        {clicked_at ? (
          <>
            <Time value={clicked_at} />, {plural(clicks, 'time')}
          </>
        ) : (
          'None'
        )}
      </Item>
      {machine_opens + machine_clicks > 0 && (
        <Item label="By programs">
          {plural(machine_opens, 'open')}, {plural(machine_clicks, 'click')}
        </Item>
      )}
    </>
  );
}
