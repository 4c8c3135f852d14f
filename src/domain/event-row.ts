import { sql } from 'kysely';
import type { RecordedEvent } from './write/draft.ts';

/** An event as a raw query returns it. The driver would give its times as text: as numbers they need no parsing. */
export type EventRow = Omit<RecordedEvent, 'occurredAt' | 'receivedAt'> & { occurred: number; received: number };

/** What to select from `event e` for it. */
export const EVENT_COLUMNS = sql`
  e.id, e.profile_id as "profileId", e.event_type as "eventType", e.properties, e.source,
  e.idempotency_key as "idempotencyKey",
  (extract(epoch from e.occurred_at) * 1000)::float8 as occurred,
  (extract(epoch from e.received_at) * 1000)::float8 as received`;

export function toEvent({
  id,
  profileId,
  eventType,
  properties,
  source,
  idempotencyKey,
  ...times
}: EventRow): RecordedEvent {
  const [occurredAt, receivedAt] = [new Date(times.occurred), new Date(times.received)];
  return { id, profileId, eventType, properties, source, idempotencyKey, occurredAt, receivedAt };
}
