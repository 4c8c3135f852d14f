import { sql } from 'kysely';
import type { EventRecord } from '../db/entities/event.ts';
import { maxJsonBytes } from '../db/json-size.ts';
import { bytesOf, type RawJson } from '../db/raw-json.ts';

/** Free-form data: as it came in, or as the database has it. */
export type JsonObject = Record<string, unknown> | RawJson;

export interface RecordedEvent {
  /** UUID of version 7. */
  id: string;
  profileId: string;
  eventType: string;
  properties: JsonObject;
  /** What the surface it came through needs to return it as it was sent; null where the rest is enough. */
  source: JsonObject | null;
  idempotencyKey: string | null;
  occurredAt: Date;
  receivedAt: Date;
}

/** An event to record. Its id is drawn once, before the first attempt, so that a retry writes the same event. */
export type NewEvent = Omit<RecordedEvent, 'profileId'>;

/** Which event it is, and whose. */
export type EventRef = Pick<RecordedEvent, 'id' | 'profileId'>;

/** An event as a raw query returns it. The driver would give its times as text: as numbers they need no parsing. */
export type EventRow = Pick<
  EventRecord,
  'id' | 'profileId' | 'eventType' | 'properties' | 'source' | 'idempotencyKey'
> & { occurred: number; received: number };

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

export function eventFromRow({
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
