import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { rowsById } from '../../db/rows.ts';
import {
  EVENT_COLUMNS,
  type EventRow,
  eventBytes,
  eventFromRow,
  MAX_EVENT_BYTES,
  type RecordedEvent,
} from '../event.ts';
import { type Candidate, candidates } from '../reading/cursor.ts';
import { REJECTION_COLUMNS, type RejectionRow, rejectionFromRow } from '../reading/rejections.ts';
import type { Rejection } from '../rejections.ts';
import { type ChangeKind, type EntryItem, type FeedRange, itemsOf, readEntries } from './entries.ts';
import type { FeedPosition } from './positions.ts';

/** A committed change. A profile was created or changed: what it is now can be read under its id. */
export type Change =
  | { kind: 'event'; event: RecordedEvent }
  | { kind: 'rejection'; rejection: Rejection }
  | { kind: 'profile'; profileId: string }
  /** The id of the row of that table. */
  | { kind: 'profile_change'; id: string }
  | { kind: 'automation_status'; id: string }
  | { kind: 'segment_change'; id: string }
  /** A profile has joined or left a list. */
  | { kind: 'list_change'; listId: string; profileId: string; hasJoined: boolean };

/** A change, the position of a reader who has read it, and when its transaction began in milliseconds of Unix time. */
export type PositionedChange<Kind extends ChangeKind = ChangeKind> = Extract<Change, { kind: Kind }> & {
  position: FeedPosition;
  addedAt: number;
};

export interface ReadLimits {
  items: number;
  /** Of free-form data; the first item is read whatever its size. */
  bytes: number;
  /** Items that are looked at, where not all are wanted. */
  scanned?: number;
}

/** Returns the first changes of a part of the feed, in its order, and the position after them. */
export async function readChanges<Kind extends ChangeKind>(
  db: Sql,
  storeId: string,
  range: FeedRange<Kind>,
  limits: ReadLimits,
): Promise<{ changes: PositionedChange<Kind>[]; reached: FeedPosition }> {
  const { entries, end } = await readEntries(db, storeId, range, limits);
  const items = itemsOf(entries);
  const events = await readEvents(db, storeId, idsOf(items, 'event'));
  const rejections = await readRejections(db, storeId, idsOf(items, 'rejection'));
  const changes: PositionedChange<Kind>[] = [];
  let reached = range.from;
  let bytes = 0;
  for (const item of items) {
    if (bytes >= limits.bytes || events.unread.has(item.id)) return { changes, reached };
    reached = item.position;
    const change = toChange(item, events.found, rejections);
    if (!change) continue;
    changes.push(change as PositionedChange<Kind>);
    if (change.kind === 'event') bytes += eventBytes(change.event);
  }
  return { changes, reached: end };
}

export function idsOf(items: readonly EntryItem[], kind: ChangeKind): string[] {
  return items.flatMap((item) => (item.kind === kind ? [item.id] : []));
}

/** Returns undefined for what was not found: it was deleted meanwhile, or nobody wants it. */
export function toChange(
  { kind, id, listId, hasJoined, position, addedAt }: EntryItem,
  events: ReadonlyMap<string, RecordedEvent>,
  rejections?: ReadonlyMap<string, Rejection>,
): PositionedChange | undefined {
  const at = { position, addedAt };
  switch (kind) {
    case 'event': {
      const event = events.get(id);
      return event && { kind, event, ...at };
    }
    case 'rejection': {
      const rejection = rejections?.get(id);
      return rejection && { kind, rejection, ...at };
    }
    case 'profile':
      return { kind, profileId: id, ...at };
    case 'list_change':
      return { kind, listId: listId as string, profileId: id, hasJoined: hasJoined as boolean, ...at };
    default:
      return { kind, id, ...at };
  }
}

/** Returns events by id; `unread` are those at the end that might be too large together. */
async function readEvents(
  db: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<{ found: Map<string, RecordedEvent>; unread: Set<string> }> {
  if (ids.length === 0) return { found: new Map(), unread: new Set() };
  const query = sql`
    select e.*
    from ${rowsById('event', storeId, ids)} e
    order by e.n`;
  const { rows } = await sql<Candidate<EventRow>>`
    select ${EVENT_COLUMNS}, candidates from ${candidates(query, ids.length, MAX_EVENT_BYTES)} e
    order by e.n`.execute(db);
  const found = new Map(rows.map((row) => [row.id, eventFromRow(row)]));
  const isCut = rows.length < (rows[0]?.candidates ?? 0);
  return { found, unread: new Set(isCut ? ids.slice(ids.indexOf((rows.at(-1) as EventRow).id) + 1) : []) };
}

async function readRejections(db: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, Rejection>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<RejectionRow>`
    select ${REJECTION_COLUMNS}
    from rejection
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, rejectionFromRow(row)]));
}
