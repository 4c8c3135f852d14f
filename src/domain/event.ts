import { sql } from 'kysely';
import type { EventRecord } from '../db/entities/event.ts';
import { maxJsonBytes } from '../db/json-size.ts';
import { bytesOf, RawJson } from '../db/raw-json.ts';

/** Free-form data, parsed from a request or as JSON text from the database. */
export type JsonObject = Record<string, unknown> | RawJson;

export interface RecordedEvent {
  /** UUID of version 7. */
  id: string;
  profileId: string;
  eventType: string;
  properties: JsonObject;
  /** What the surface it came through needs to return it as it was sent, and which run made it; null if nothing. */
  source: JsonObject | null;
  idempotencyKey: string | null;
  occurredAt: Date;
  receivedAt: Date;
}

/** An event to record. Its id is drawn once, before the first attempt, so that a retry writes the same event. */
export type NewEvent = Omit<RecordedEvent, 'profileId'>;

/** An event's id and its profile. */
export type EventRef = Pick<RecordedEvent, 'id' | 'profileId'>;

/** An event as a raw query returns it. Times are numbers, because the driver's text would have to be parsed. */
export type EventRow = Pick<
  EventRecord,
  'id' | 'profileId' | 'eventType' | 'properties' | 'source' | 'idempotencyKey'
> & { occurred: number; received: number };

/** Columns to select from `event e` for an `EventRow`. */
export const EVENT_COLUMNS = sql`
  e.id, e.profile_id as "profileId", e.event_type as "eventType", e.properties, e.source,
  e.idempotency_key as "idempotencyKey",
  (extract(epoch from e.occurred_at) * 1000)::float8 as occurred,
  (extract(epoch from e.received_at) * 1000)::float8 as received`;

/** Maximum bytes of an event's free-form data as it is sent. */
export const MAX_EVENT_BYTES = sql`${maxJsonBytes('properties')} + ${maxJsonBytes('source')}`;

export function eventBytes({ properties, source }: RecordedEvent): number {
  return bytesOf(properties) + (source ? bytesOf(source) : 0);
}

/** What `source` of an event begins with that a page or an app sent, with a public key. */
export const FROM_CLIENT = { client: true };
const FROM_CLIENT_TEXT = JSON.stringify(FROM_CLIENT).slice(0, -1);

/** Whether a page or an app sent an event. Stored JSON keeps its order, so that its beginning tells. */
export function isFromClient({ source }: RecordedEvent): boolean {
  if (source === null) return false;
  return source instanceof RawJson ? source.text.startsWith(FROM_CLIENT_TEXT) : source.client === true;
}

/** `source` of an event that the native surface received as historical. */
export const BACKFILL = { backfill: true };
/** What `source` of a historical event begins with, whichever surface received it. */
const BACKFILL_TEXT =
  /^\{(?:"client":true,)?(?:"name":"(?:[^"\\]|\\.)*","service":(?:null|"(?:[^"\\]|\\.)*"),)?"backfill":true[,}]/;

/** Whether an event was sent as a historical one. Like `isFromClient`, without parsing what may be large. */
export function isBackfill({ source }: Pick<RecordedEvent, 'source'>): boolean {
  if (source === null) return false;
  return source instanceof RawJson ? BACKFILL_TEXT.test(source.text) : source.backfill === true;
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
