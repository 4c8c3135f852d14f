import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { TimelineEntry, TimelineOutcome } from '../../../../client/index.ts';
import { wordsOf } from '../../../components/words-of.ts';
import { valueWords } from '../../../conditions/sentence.ts';
import type { AutomationDefinition, AutomationStep } from '../../../definitions.ts';
import { PoolName } from '../../coupons/pool-name.tsx';
import { DeliveryLink } from '../../webhooks/deliveries/delivery-link.tsx';
import { EndpointName } from '../../webhooks/endpoint-name.tsx';
import { MessageState } from '../emails/message-state.tsx';
import { SenderName } from '../emails/sender-name.tsx';
import { TemplateName } from '../emails/template-name.tsx';
import { exitsOf } from '../graph/exits.ts';
import { Named } from '../words/named.tsx';
import { endWords } from '../words/reasons.ts';
import { CHANNEL_WORDS } from '../words/steps.ts';
import { Finding } from './finding.tsx';
import { Until } from './until.tsx';

export const OUTCOME_WORDS: Readonly<Record<TimelineOutcome, string>> = {
  started: 'Entered',
  delayed: 'Waits',
  date_missed: 'There is no date to wait for',
  waiting: 'Waits for something',
  matched: 'It came',
  timed_out: 'It did not come in time',
  branched: 'Branched',
  split: 'Drew a lot',
  profile_set: 'Changed the profile',
  event_emitted: 'Recorded an event',
  delivery_queued: 'Sends a message',
  delivered: 'The message was received',
  delivery_failed: 'The message was not received',
  message_queued: 'Sends an e-mail',
  message_sent: 'The e-mail was sent',
  message_skipped: 'The customer is not sent it',
  message_unknown: 'Nobody knows whether the e-mail was sent',
  message_failed: 'The e-mail was not sent',
  coupon_assigned: 'The customer has a coupon code',
  coupon_awaited: 'Waits for a coupon code',
  coupon_missing: 'There is no coupon code',
  list_changed: 'Changed a list',
  consent_changed: 'Recorded a choice',
  quiet_hours: 'Quiet hours',
  postponed: 'Waits for its turn',
  moved: 'Moved to another version',
  attempt_failed: 'The step failed, and is tried again',
  failed: 'Failed for the last time',
  retried: 'Somebody let it go on',
  ended: 'Ended',
};

interface Props {
  entry: TimelineEntry;
  /** What the run follows, where it is known. */
  definition: AutomationDefinition | undefined;
}

/** The reasons for an entry of a timeline. Which details it has depends on its outcome; what is missing is not said. */
export function Detail({ entry: { outcome, step_id, detail }, definition }: Props): ReactNode {
  const step = definition?.steps.find(({ id }) => id === step_id);
  switch (outcome) {
    case 'started':
      return (
        <Lines>
          {detail.key != null && `Key ${detail.key}`}
          {detail.version !== undefined && `Version ${detail.version}`}
          {detail.omitted?.length && `Too large to keep: ${detail.omitted.join(', ')}`}
        </Lines>
      );
    case 'delayed':
    case 'postponed':
    case 'waiting':
      return (
        <Lines>
          {detail.until && (
            <>
              {outcome === 'waiting' ? 'Until at most ' : 'Until '}
              <Until value={detail.until} timeZone={detail.time_zone} />
            </>
          )}
          {detail.unknown_time_zone !== undefined && `Not a time zone: ${detail.unknown_time_zone}`}
        </Lines>
      );
    case 'matched':
      return (
        <Lines>
          {step && labelOf(step, detail.event?.index ?? detail.index)}
          {detail.event && <TheEvent event={detail.event} />}
          {detail.condition && <Finding finding={detail.condition} />}
          <Onwards next={detail.next} />
        </Lines>
      );
    case 'branched':
      return (
        <Lines>
          {typeof detail.case === 'number'
            ? (step && labelOf(step, detail.case)) || `Case ${detail.case + 1}`
            : 'No case held'}
          {detail.condition && <Finding finding={detail.condition} />}
          <Onwards next={detail.next} />
        </Lines>
      );
    case 'split':
      return (
        <Lines>
          {step && labelOf(step, detail.index)}
          {detail.drawn !== undefined && `${Math.round(detail.drawn * 100) / 100} was drawn`}
          <Onwards next={detail.next} />
        </Lines>
      );
    case 'date_missed':
      return (
        <Lines>
          {detail.due && (
            <>
              It was <Until value={detail.due} />
            </>
          )}
          <Onwards next={detail.next} />
        </Lines>
      );
    case 'timed_out':
      return <Onwards next={detail.next} />;
    case 'profile_set':
      return (
        <Lines>
          {Object.entries(detail.set ?? {})
            .map(([name, value]) => `${name} is ${valueWords(value)}`)
            .join(', ')}
          {detail.unset?.length ? `Removed: ${detail.unset.join(', ')}` : undefined}
        </Lines>
      );
    case 'event_emitted':
      return (
        <Lines>
          {detail.event_type}
          {Object.entries(detail.properties ?? {})
            .map(([name, value]) => `${name} ${valueWords(value)}`)
            .join(', ')}
        </Lines>
      );
    case 'delivery_queued':
      return (
        <Lines>
          <span>
            {detail.message_type} to {detail.endpoint_id && <EndpointName id={detail.endpoint_id} />}
          </span>
          {detail.endpoint_id && detail.delivery_id && (
            <DeliveryLink endpoint_id={detail.endpoint_id} id={detail.delivery_id} />
          )}
        </Lines>
      );
    case 'delivery_failed':
      return (
        <Lines>
          {detail.result === 'expired' ? 'Not in time' : 'All attempts have failed'}
          <Onwards next={detail.next} />
        </Lines>
      );
    case 'message_queued':
      return (
        <Lines>
          <span>
            {detail.template_id && <TemplateName id={detail.template_id} />}
            {detail.template_version !== undefined && `, version ${detail.template_version}`}
            {detail.sender_id && (
              <>
                , from <SenderName id={detail.sender_id} />
              </>
            )}
          </span>
          {detail.message_id && <MessageState id={detail.message_id} />}
        </Lines>
      );
    case 'message_skipped':
    case 'message_failed':
      return (
        <Lines>
          {detail.result === 'expired' && 'Not in time'}
          {detail.result === 'cancelled' && 'Somebody cancelled it'}
          {detail.code && wordsOf({}, detail.code)}
          <Onwards next={detail.next} />
        </Lines>
      );
    case 'message_unknown':
      return <Onwards next={detail.next} />;
    case 'coupon_assigned':
    case 'coupon_awaited':
    case 'coupon_missing':
      return (
        <Lines>
          {detail.pool_id && <PoolName id={detail.pool_id} />}
          {detail.result && (detail.result === 'expired' ? 'It has expired' : 'It is empty')}
          {detail.until && (
            <>
              Until at most <Until value={detail.until} />
            </>
          )}
          <Onwards next={detail.next} />
        </Lines>
      );
    case 'list_changed':
      return detail.list && <Named>{`${detail.member ? 'Into' : 'Out of'} the list ${detail.list}`}</Named>;
    case 'consent_changed':
      return (
        <Lines>
          {detail.channel &&
            `${detail.choice === 'subscribed' ? 'Subscribed to' : 'Unsubscribed from'} ${wordsOf(CHANNEL_WORDS, detail.channel)}`}
          {detail.list && <Named>{`For the list ${detail.list}`}</Named>}
        </Lines>
      );
    case 'quiet_hours':
      return (
        <Lines>
          {detail.until && (
            <>
              {detail.skipped ? 'The message is left out until ' : 'The message waits until '}
              <Until value={detail.until} timeZone={detail.time_zone} />
            </>
          )}
          {detail.unknown_time_zone !== undefined && `Not a time zone: ${detail.unknown_time_zone}`}
        </Lines>
      );
    case 'moved':
      return `From version ${detail.from_version} to ${detail.to_version}`;
    case 'attempt_failed':
    case 'failed':
      return (
        <Lines>
          {detail.code && `Attempt ${detail.attempt}: ${endWords(detail.code)}`}
          {detail.retry_at && (
            <>
              Again at <Until value={detail.retry_at} />
            </>
          )}
        </Lines>
      );
    case 'delivered':
    case 'message_sent':
    case 'retried':
      return null;
    case 'ended':
      return (
        <Lines>
          {detail.reason && endWords(detail.reason)}
          {detail.text}
          {detail.event && <TheEvent event={detail.event} />}
          {detail.condition && <Finding finding={detail.condition} />}
          {detail.by && `By ${detail.by}`}
        </Lines>
      );
  }
}

/** Each of what there is on a line of its own. */
export function Lines({ children }: { children: ReactNode[] | ReactNode }) {
  const lines = [children]
    .flat()
    .filter((line) => line !== undefined && line !== null && line !== false && line !== '' && line !== 0);
  return lines.map((line, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what is on a line never moves to another
    <div key={n}>{line}</div>
  ));
}

function Onwards({ next }: { next: string | null | undefined }) {
  if (next === undefined) return null;
  return next === null ? 'To the end' : `To ${next}`;
}

function labelOf(step: AutomationStep, index: number | undefined): string | undefined {
  return index === undefined ? undefined : exitsOf(step)[index]?.label;
}

function TheEvent({ event: { event_id, occurred_at } }: { event: NonNullable<TimelineEntry['detail']['event']> }) {
  return (
    <>
      {event_id === null ? (
        'An assumed event'
      ) : (
        <Anchor component={Link} to={`/events/${event_id}`} inherit underline="always">
          The event
        </Anchor>
      )}{' '}
      of <Until value={occurred_at} />
    </>
  );
}
