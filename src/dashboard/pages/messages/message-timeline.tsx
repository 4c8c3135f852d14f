import { Text, Timeline } from '@mantine/core';
import type { Message } from '../../../client/index.ts';
import { plural } from '../../components/durations.ts';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { whyNotWords } from './why-not.ts';
import { SOURCE_WORDS, STATUS_WORDS } from './words.ts';

interface Moment {
  title: string;
  detail?: string | undefined;
  at: string | null;
}

/** What became of a message, from its beginning on. */
export function MessageTimeline({ message }: { message: Message }) {
  return (
    <Timeline bulletSize={14} lineWidth={2} role="list" aria-label="Timeline">
      {momentsOf(message).map(({ title, detail, at }) => (
        <Timeline.Item
          key={title}
          role="listitem"
          title={
            <Text size="sm" fw={500} component="span">
              {title}
            </Text>
          }
        >
          {detail && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {detail}
            </Text>
          )}
          {at && (
            <Text c="dimmed" size="xs">
              <Time value={at} />
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function momentsOf(message: Message): Moment[] {
  const {
    source,
    status,
    response,
    failed_attempts: attempts,
    due_at,
    created_at,
    begun_at,
    delivered_at,
    bounced_at,
    complained_at,
    finished_at,
    why_not,
  } = message;
  // What is unknown is explained where somebody decides about it.
  const why = why_not && status !== 'unknown' ? whyNotWords(why_not) : (response ?? undefined);
  return [
    { title: 'Created', detail: `${wordsOf(SOURCE_WORDS, source)} sends it.`, at: created_at },
    ...(attempts > 0 ? [{ title: `${plural(attempts, 'attempt')} failed`, at: null }] : []),
    ...(begun_at ? [{ title: 'Handed over to the relay', at: begun_at }] : []),
    ...(delivered_at && status !== 'delivered' ? [{ title: 'It has arrived', at: delivered_at }] : []),
    ...(bounced_at && complained_at ? [{ title: 'It came back', at: bounced_at }] : []),
    {
      title: wordsOf(STATUS_WORDS, status),
      detail: why,
      at: complained_at ?? bounced_at ?? delivered_at ?? finished_at,
    },
    ...(due_at ? [{ title: 'To be tried', at: due_at }] : []),
  ];
}
