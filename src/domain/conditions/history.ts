import { evaluate } from './evaluate.ts';
import { COUNT } from './measure.ts';
import type { CustomerEvent, HistoryCount, HistoryQuestion } from './subject.ts';
import { type Tally, tallyOf } from './tally.ts';

/** Events of the types in question that one look-up may read; beyond that the step fails, rather than guess. */
export const MAX_HISTORY = 10_000;

/** Whether an event counts for a question. */
export function doesCount(question: HistoryQuestion, event: CustomerEvent): boolean {
  const { eventType, from, to, filter, except, fromClient, askedAt } = question;
  if (event.eventType !== eventType || event.id === except || (event.fromClient && !fromClient)) return false;
  if (event.occurredAt > to || (from !== null && event.occurredAt < from)) return false;
  return !filter || evaluate(filter, { properties: event.properties, now: askedAt ?? to }).holds;
}

/** What those of some events come to that count for a question. */
export class Total {
  readonly #question: HistoryQuestion;
  readonly #tally: Tally;

  /** `start` is what others come to. */
  constructor(question: HistoryQuestion, start: number | Tally = 0) {
    this.#question = question;
    this.#tally = typeof start === 'number' ? tallyOf(question.measure ?? COUNT, start) : start;
  }

  add(event: CustomerEvent): void {
    if (doesCount(this.#question, event)) this.#tally.add(event);
  }

  get isEnough(): boolean {
    return (this.value ?? 0) >= this.#question.enough;
  }

  get value(): number | undefined {
    return this.#tally.value;
  }

  /** A number where others can be added to that. */
  get answer(): number | Tally {
    const { of } = this.#question.measure ?? COUNT;
    return of === 'count' || of === 'sum' ? (this.#tally.value as number) : this.#tally;
  }
}

/** Answers a question from a customer's events of that type and time, in any order. */
export function countMatching(question: HistoryQuestion, events: Iterable<CustomerEvent>): HistoryCount {
  const total = new Total(question);
  let read = 0;
  for (const event of events) {
    read += 1;
    if (read > MAX_HISTORY) return 'too_long';
    total.add(event);
    if (total.isEnough) break;
  }
  return total.answer;
}
