import { evaluate } from './evaluate.ts';
import type { CustomerEvent, HistoryCount, HistoryQuestion } from './subject.ts';

/** Events that one look-up may read; beyond that the step fails, rather than guess. */
export const MAX_HISTORY = 10_000;

/** Whether an event counts for a question. */
export function doesCount(question: HistoryQuestion, event: CustomerEvent): boolean {
  const { eventType, from, to, filter, except, fromClient } = question;
  if (event.eventType !== eventType || event.id === except || (event.fromClient && !fromClient)) return false;
  if (event.occurredAt > to || (from !== null && event.occurredAt < from)) return false;
  return !filter || evaluate(filter, { properties: event.properties }).holds;
}

/** Answers a question from a customer's events of that type and time, in any order. */
export function countMatching(question: HistoryQuestion, events: Iterable<CustomerEvent>): HistoryCount {
  let [read, found] = [0, 0];
  for (const event of events) {
    read += 1;
    if (read > MAX_HISTORY) return 'too_long';
    if (doesCount(question, event)) found += 1;
    if (found >= question.enough) break;
  }
  return found;
}
