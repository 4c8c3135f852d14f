import { durationMs } from '../time/duration.ts';
import type { NumberComparison } from './comparison.ts';
import { boundsOf, type Condition, type Did, type EventsAsked } from './condition.ts';
import { type ConditionNeed, HistoryTooLong } from './facts-needed.ts';
import { COUNT, type Measure, measuredIn } from './measure.ts';
import type { History, HistoryQuestion, Subject } from './subject.ts';
import type { Occurred, Tally, Times } from './tally.ts';
import { leavesOf } from './tree.ts';
import { spanAt } from './windows.ts';

/** What has to be looked up before it can be told. */
export interface Needs {
  needs: ConditionNeed[];
}

export function historyOf({ history }: Subject): History {
  if (!history) throw new TypeError('There is no history here');
  return history;
}

/** What events come to: a count or a sum as a number, or what has worked it out. Throws `HistoryTooLong`. */
export function ask(subject: Subject, question: HistoryQuestion): number | Tally | Needs {
  const answer = historyOf(subject).count(question);
  if (answer === undefined) return { needs: [{ type: 'count', question }] };
  if (answer === 'too_long') throw new HistoryTooLong(question.eventType);
  return answer;
}

/** The first or the last event of those that are meant. */
export function askOccurrence(subject: Subject, asked: EventsAsked, which: 'first' | 'last'): Occurred | Needs {
  return ask(subject, questionAbout(asked, { of: which }, subject)) as Occurred | Needs;
}

/** When the events were that are meant; `from` is when those begin that count, by default as they say. */
export function askTimes(subject: Subject, asked: EventsAsked, from?: number | null): Times | Needs {
  const question = questionAbout(asked, { of: 'times' }, subject);
  return ask(subject, from === undefined ? question : { ...question, from }) as Times | Needs;
}

export function questionOf(did: Did, history: History): HistoryQuestion {
  const { measure } = measuredIn(did) ?? { measure: COUNT };
  const { now, since, triggerEventId } = history;
  return {
    ...questionOfEvents(did, now),
    ...timesOf(did, now, since),
    enough: measure.of === 'count' ? Math.max(...boundsOf(did).map(decidingCount)) : Number.POSITIVE_INFINITY,
    ...(measure.of === 'count' ? {} : { measure }),
    ...(did.since === 'trigger' && triggerEventId !== undefined ? { except: triggerEventId } : {}),
  };
}

/** The question that all that was asked for answers, whatever it comes to. */
export function questionAbout(asked: EventsAsked, measure: Measure, subject: Subject): HistoryQuestion {
  const { now, since } = historyOf(subject);
  return {
    ...questionOfEvents(asked, now),
    ...timesOf(asked, now, since),
    enough: Number.POSITIVE_INFINITY,
    ...(measure.of === 'count' ? {} : { measure }),
  };
}

function questionOfEvents({ event_type, filter, from_client }: EventsAsked, now: number) {
  return {
    eventType: event_type,
    ...(filter ? { filter } : {}),
    ...(filter && asksForDates(filter) ? { askedAt: now } : {}),
    ...(from_client ? { fromClient: true } : {}),
  };
}

type When = Pick<Did, 'since' | 'within' | 'window'>;

export function timesOf(
  { since, within, window }: When,
  now: number,
  trigger: number,
): Pick<HistoryQuestion, 'from' | 'to'> {
  if (since === 'trigger') return { from: trigger, to: now };
  if (within !== undefined) return { from: now - durationMs(within), to: now };
  const { after, until } = spanAt(window, now);
  return { from: after === null ? null : after + 1, to: until };
}

function asksForDates(filter: Condition): boolean {
  return [...leavesOf(filter)].some(({ leaf }) => 'date' in leaf);
}

/** With so many, whether more come makes no difference. */
function decidingCount({ op, value }: NumberComparison): number {
  return Math.max(0, op === 'gte' ? Math.ceil(value) : Math.floor(value) + 1);
}
