import { evaluate } from '../../../conditions/evaluate.ts';
import { MAX_HISTORY } from '../../../conditions/history.ts';
import { lookUp } from '../../../conditions/lookup.ts';
import type { CustomerEvent } from '../../../conditions/subject.ts';
import { MINUTE } from '../../../time/duration.ts';
import type { EventMatch } from '../definition/event-match.ts';
import type { LookBackQuestion } from './need.ts';

/** How far clocks may differ. It errs towards ending a run rather than sending what is not wanted any more. */
export const CLOCK_SKEW = 5 * MINUTE;

const MAX_KEY_LENGTH = 255;

/** The value of a property as a key; undefined if it can't be one. A number is the same key as its text, as are true and false. */
export function keyOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' && value.length <= MAX_KEY_LENGTH ? value : undefined;
}

/**
 * Returns which of the matches an event fits, -1 if none. It must have happened since the trigger, whenever it arrives; one
 * that arrives after the trigger may be from shortly before, as clocks differ, and one of the same moment must have.
 */
export function findMatch(question: LookBackQuestion, event: CustomerEvent): number {
  const { matches, from, trigger, except } = question;
  if (event.backfill || event.occurredAt < from || except.includes(event.id)) return -1;
  if (event.occurredAt <= trigger.at && !isReceivedAfter(event, trigger)) return -1;
  return matches.findIndex((match) => fits(match, question, event));
}

/**
 * Returns the event that fits and arrived first: the one that ends the wait of a run that is told of each event as it
 * arrives. For a look-up that reads a customer's events in any order.
 */
export function lookBack(
  question: LookBackQuestion,
  events: Iterable<CustomerEvent>,
): CustomerEvent | 'too_long' | null {
  let [read, found]: [number, CustomerEvent | null] = [0, null];
  for (const event of events) {
    read += 1;
    if (read > MAX_HISTORY) return 'too_long';
    if (findMatch(question, event) >= 0 && (!found || isBefore(event, found))) found = event;
  }
  return found;
}

function fits(match: EventMatch, { key, runId }: LookBackQuestion, event: CustomerEvent): boolean {
  const { event_type, match_key, filter, from_client, of_step } = match;
  if (event.eventType !== event_type || (event.fromClient && !from_client)) return false;
  if (match_key && (key === null || keyOf(lookUp(event.properties, match_key.property)) !== key)) return false;
  const { run_id, step_id } = event.properties;
  if (of_step !== undefined && (run_id !== runId || step_id !== of_step)) return false;
  return !filter || evaluate(filter, { properties: event.properties, now: event.occurredAt }).holds;
}

function isReceivedAfter({ receivedAt, id }: CustomerEvent, trigger: LookBackQuestion['trigger']): boolean {
  if (trigger.receivedAt !== null && receivedAt !== trigger.receivedAt) return receivedAt > trigger.receivedAt;
  return trigger.eventId === null || id > trigger.eventId;
}

/** Whether an event was recorded before another one. */
export function isBefore(one: CustomerEvent, other: CustomerEvent): boolean {
  return one.receivedAt < other.receivedAt || (one.receivedAt === other.receivedAt && one.id < other.id);
}
