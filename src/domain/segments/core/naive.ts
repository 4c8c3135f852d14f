import type { Condition } from '../../conditions/condition.ts';
import { evaluate } from '../../conditions/evaluate.ts';
import { spellingsOf } from '../../conditions/event-types.ts';
import { Total } from '../../conditions/history.ts';
import type { Consents } from '../../conditions/standing.ts';
import type { CustomerEvent, HistoryCount, HistoryQuestion, JsonObject, Subject } from '../../conditions/subject.ts';

/** Times are milliseconds. */
export type KnownEvent = Pick<CustomerEvent, 'id' | 'eventType' | 'occurredAt' | 'properties' | 'fromClient'>;

/** All that is known of a customer. */
export interface KnownProfile {
  id: string;
  attributes: JsonObject;
  /** Those that there are. */
  identifiers: JsonObject;
  createdAt: number;
  events: readonly KnownEvent[];
  consents: Consents;
  /** When the customer joined those that they are in. */
  lists: ReadonlyMap<string, number>;
  segments: ReadonlyMap<string, number>;
}

/**
 * Whether a customer is in a segment at a moment, worked out one event after the other, as conditions of automations are:
 * what checks the statements that they are compiled to. The two share what reads a definition, such as the bounds of windows.
 */
export function isMember(definition: Condition, profile: KnownProfile, now: number): boolean {
  return evaluate(definition, subjectOf(profile, now)).holds;
}

function subjectOf({ events, lists, segments, consents, createdAt, ...profile }: KnownProfile, now: number): Subject {
  const past = events.map(({ occurredAt }) => occurredAt).filter((at) => at <= now);
  const lastEventAt = past.length === 0 ? undefined : past.reduce((latest, at) => Math.max(latest, at));
  return {
    now,
    profile: () => profile,
    standing: {
      memberSince: ({ kind, id }) => (kind === 'list' ? lists : segments).get(id) ?? null,
      consents: () => consents,
    },
    times: { now, createdAt, lastEventAt },
    history: { now, since: now, count: (question) => countOf(question, events) },
  };
}

/** However many there are. */
function countOf(question: HistoryQuestion, events: readonly KnownEvent[]): HistoryCount {
  const total = new Total(question);
  const { eventType } = question;
  for (const event of events) {
    if (!spellingsOf(eventType).includes(event.eventType)) continue;
    total.add({ ...event, eventType, receivedAt: event.occurredAt, backfill: false, depth: 0 });
  }
  return total.answer;
}
