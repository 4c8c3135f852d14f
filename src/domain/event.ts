import { sql } from 'kysely';
import { maxJsonBytes } from '../db/json-size.ts';
import { bytesOf } from '../db/raw-json.ts';
import type { RecordedEvent } from './write/draft.ts';

/** An event as a raw query returns it. The driver would give its times as text: as numbers they need no parsing. */
export type EventRow = Omit<RecordedEvent, 'occurredAt' | 'receivedAt'> & { occurred: number; received: number };

/** What to select from `event e` for it. */
export const EVENT_COLUMNS = sql`
  e.id, e.profile_id as "profileId", e.event_type as "eventType", e.properties, e.source,
  e.idempotency_key as "idempotencyKey",
  (extract(epoch from e.occurred_at) * 1000)::float8 as occurred,
  (extract(epoch from e.received_at) * 1000)::float8 as received`;

/** Bytes that the free-form data of an event, as it is sent, has at most. */
export const MAX_EVENT_BYTES = sql`${maxJsonBytes('properties')} + ${maxJsonBytes('source')}`;

export function eventBytes({ properties, source }: RecordedEvent): number {
  return bytesOf(properties) + (source ? bytesOf(source) : 0);
}

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
