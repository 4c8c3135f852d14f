import { evaluate } from './evaluate.ts';
import { ExactSum } from './exact-sum.ts';
import { lookUp } from './lookup.ts';
import type { CustomerEvent, HistoryCount, HistoryQuestion } from './subject.ts';

/** Events of the types in question that one look-up may read; beyond that the step fails, rather than guess. */
export const MAX_HISTORY = 10_000;

/** Whether an event counts for a question. */
export function doesCount(question: HistoryQuestion, event: CustomerEvent): boolean {
  const { eventType, from, to, filter, except, fromClient, askedAt } = question;
  if (event.eventType !== eventType || event.id === except || (event.fromClient && !fromClient)) return false;
  if (event.occurredAt > to || (from !== null && event.occurredAt < from)) return false;
  return !filter || evaluate(filter, { properties: event.properties, now: askedAt ?? to }).holds;
}

/** How many of some events count for a question, or what the numbers in a property of theirs come to. */
export class Total {
  readonly #question: HistoryQuestion;
  readonly #sum = new ExactSum();

  /** `start` is what others come to. */
  constructor(question: HistoryQuestion, start = 0) {
    this.#question = question;
    this.#sum.add(start);
  }

  add(event: CustomerEvent): void {
    if (!doesCount(this.#question, event)) return;
    const { sumOf } = this.#question;
    const number = sumOf === undefined ? 1 : lookUp(event.properties, sumOf);
    if (typeof number === 'number') this.#sum.add(number);
  }

  get isEnough(): boolean {
    return this.value >= this.#question.enough;
  }

  get value(): number {
    return this.#sum.value;
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
  return total.value;
}
