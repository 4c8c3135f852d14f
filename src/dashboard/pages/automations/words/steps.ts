import type { UnknownStep } from '../../../../client/index.ts';
import { durationWords } from '../../../components/durations.ts';
import { wordsOf } from '../../../components/words-of.ts';
import { nameWords } from '../../../conditions/name-words.ts';
import { valueWords } from '../../../conditions/sentence.ts';
import type { AutomationStep, DelayStep } from '../../../definitions.ts';
import { untilDateWords } from './dates.ts';

export const STEP_NAMES: Readonly<Record<AutomationStep['type'], string>> = {
  delay: 'Delay',
  wait: 'Wait for something',
  branch: 'Branch',
  split: 'Split at random',
  set_profile: 'Change the profile',
  emit_event: 'Record an event',
  send_webhook: 'Send a message',
  call_webhook: 'Call a web service',
  send_email: 'Send an e-mail',
  send_sms: 'Send a text message',
  assign_coupon: 'Give a coupon code',
  add_to_list: 'Add to a list',
  remove_from_list: 'Remove from a list',
  subscribe: 'Subscribe',
  unsubscribe: 'Unsubscribe',
  exit: 'Exit',
};

const EMPTY_WORDS = { wait: 'wait up to three days', continue: 'go on', exit: 'end the run' } as const;
const INCLUDED_WORDS = { profile: 'customer', event: 'event', items: 'items' } as const;

const COUNTED_WORDS = { email: 'counted as an e-mail', sms: 'counted as a text message' } as const;

export const CHANNEL_WORDS = { email: 'e-mail', sms: 'text messages' } as const;

/** The days of a week, as the API names them. */
export const WEEKDAYS = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const;

/** What a step does, as a sentence. */
export function stepWords(step: AutomationStep): string {
  switch (step.type) {
    case 'delay':
      return delayWords(step);
    case 'wait':
      return `Wait at most ${durationWords(step.timeout)} for ${step.for.length === 1 ? 'this' : 'the first of these'}`;
    case 'branch':
      return 'Go where the first condition that holds leads';
    case 'split':
      return step.per === 'customer' ? 'Draw lots, once for each customer' : 'Draw lots';
    case 'set_profile': {
      const set = Object.entries(step.set ?? {}).map(([name, value]) => `set ${name} ${templateWords(value, 'to ')}`);
      const unset = (step.unset ?? []).map((name) => `remove ${name}`);
      return capitalized([...set, ...unset].join(', ') || 'change nothing of the profile');
    }
    case 'emit_event': {
      const properties = Object.entries(step.properties ?? {}).map(
        ([name, value]) => `${name} ${templateWords(value)}`,
      );
      return `Record ${step.event_type}${properties.length > 0 ? ` with ${properties.join(', ')}` : ''}`;
    }
    case 'send_webhook':
      return [
        `Send ${step.message_type || '…'}`,
        step.include?.length && `with the ${step.include.map((one) => INCLUDED_WORDS[one]).join(' and the ')}`,
        step.counts_as && COUNTED_WORDS[step.counts_as],
        step.expires_after && `within ${durationWords(step.expires_after)}`,
        step.await && 'and wait for what becomes of it',
      ]
        .filter(Boolean)
        .join(', ');
    case 'call_webhook':
      return [
        `${step.method ?? 'POST'} ${step.path ?? 'to the endpoint'}`,
        step.counts_as && COUNTED_WORDS[step.counts_as],
        step.expires_after && `within ${durationWords(step.expires_after)}`,
        step.await !== false && 'and wait for the answer',
      ]
        .filter(Boolean)
        .join(', ');
    case 'send_email':
    case 'send_sms':
      return [
        `Send the template ${step.template_id || '…'} by ${step.type === 'send_sms' ? 'text message' : 'e-mail'}`,
        step.template_version !== undefined && `in version ${step.template_version}`,
        step.expires_after && `within ${durationWords(step.expires_after)}`,
        step.await && 'and wait for what becomes of it',
      ]
        .filter(Boolean)
        .join(', ');
    case 'assign_coupon': {
      const { on_empty = 'wait' } = step;
      return `Give a code of the coupon pool ${step.pool_id || '…'}, and ${EMPTY_WORDS[on_empty]} while it has none`;
    }
    case 'add_to_list':
      return `Add the customer to the list ${step.list || '…'}`;
    case 'remove_from_list':
      return `Remove the customer from the list ${step.list || '…'}`;
    case 'subscribe':
      return `Subscribe the customer to ${CHANNEL_WORDS[step.channel]}${step.list ? ` and to the list ${step.list}` : ''}`;
    case 'unsubscribe':
      return step.list
        ? `Unsubscribe the customer from ${CHANNEL_WORDS[step.channel]} of the list ${step.list}`
        : `Unsubscribe the customer from ${CHANNEL_WORDS[step.channel]}`;
    case 'exit':
      return `End the run${step.reason ? `: ${step.reason}` : ''}`;
    default:
      return wordsOf({}, (step as UnknownStep).type);
  }
}

function delayWords({ for: duration, until, until_date }: DelayStep): string {
  if (until_date) return untilDateWords(until_date);
  if (!until) return `Wait ${durationWords(duration ?? '')}`;
  const days = until.weekdays?.map((day) => WEEKDAYS[day]);
  return `Wait until it is ${until.at || '…'}${days?.length ? ` on ${days.join(', ')}` : ''}`;
}

/** A value that may be a reference; `before` is said before one that is none. */
export function templateWords(value: unknown, before = ''): string {
  if (value !== null && typeof value === 'object' && Object.keys(value).length === 1) {
    const [[kind, inner] = []] = Object.entries(value);
    if (kind === 'from' && (typeof inner === 'string' || Array.isArray(inner))) return `from ${nameWords(inner)}`;
    if (kind === 'liquid') return before + valueWords(inner);
    if (kind === 'compute') return before + computeWords(inner);
    if (kind === 'literal') return before + valueWords(inner);
  }
  return before + valueWords(value);
}

/** “add (from event › points, 5)”. */
function computeWords(inner: unknown): string {
  const [[operation = '…', operands] = []] = Object.entries(inner ?? {});
  return `${operation} (${Array.isArray(operands) ? operands.map((one) => templateWords(one)).join(', ') : '…'})`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
