import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { AdditionRecord } from '../../db/entities/addition.ts';
import type { Sql } from '../../db/orm.ts';
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
import type { FeedPosition } from './positions.ts';

export type ChangeKind = AdditionRecord['kind'];

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

/** A part of the feed: entries of some kinds. */
export interface FeedRange<Kind extends ChangeKind = ChangeKind> {
  from: FeedPosition;
  /** Its last entry. */
  to: number;
  kinds: readonly Kind[];
}

/** An item of an entry, by its number in it from 1; null for an entry of which nothing was left. */
interface Item {
  entry: number;
  kind: ChangeKind;
  n: number | null;
  id: string | null;
  size: number;
  addedAt: number;
  listId: string | null;
  hasJoined: boolean | null;
}

/** Entries that one query looks at, and those among them of which it reads items. */
const [MAX_ENTRIES, MAX_READ] = [5_000, 200];

/** Returns the first changes of a part of the feed, in its order, and the position after them. */
export async function readChanges<Kind extends ChangeKind>(
  db: Sql,
  storeId: string,
  range: FeedRange<Kind>,
  limits: ReadLimits,
): Promise<{ changes: PositionedChange<Kind>[]; reached: FeedPosition }> {
  const { items, end } = await findItems(db, storeId, range, limits.items);
  const events = await readEvents(db, storeId, idsOf(items, 'event'));
  const rejections = await readRejections(db, storeId, idsOf(items, 'rejection'));
  const changes: PositionedChange<Kind>[] = [];
  let reached = range.from;
  let bytes = 0;
  for (const item of items) {
    if (bytes >= limits.bytes || (item.id && events.unread.has(item.id))) return { changes, reached };
    reached = positionAfter(item);
    const change = toChange(item, events.found, rejections);
    if (!change) continue;
    changes.push({ ...change, position: reached, addedAt: item.addedAt } as PositionedChange<Kind>);
    if (change.kind === 'event') bytes += eventBytes(change.event);
  }
  return { changes, reached: end ?? reached };
}

/** Finds the first items of a part of the feed; `end`: the position after its entries if these are all their items. */
async function findItems(
  db: Sql,
  storeId: string,
  { from, to, kinds }: FeedRange,
  limit: number,
): Promise<{ items: Item[]; end: FeedPosition | undefined }> {
  const last = Math.min(to, from.entry + MAX_ENTRIES);
  const { rows } = await sql<Item & { entries: number }>`
    select position::float8 as entry, kind, n::int, id, size, entries,
      (extract(epoch from added_at) * 1000)::float8 as "addedAt", list_id as "listId", has_joined as "hasJoined"
    from (
      select *, sum(size) over (order by position rows between unbounded preceding and 1 preceding) as before,
        count(*) over ()::int as entries
      from (
        select position, kind, ids, added_at, list_id, has_joined, cardinality(ids) as size from addition
        where store_id = ${storeId} and position > ${from.entry}::bigint and position <= ${last}::bigint
          and kind = any(${texts(kinds)}::text[])
        order by position
        limit ${MAX_READ}
      ) as entry
    ) as entry
    left join lateral unnest(ids) with ordinality as item (id, n) on true
    where coalesce(before, 0) <= ${limit + from.items}::int
      and (n is null or n > ${from.items}::int or position > ${from.entry + 1}::bigint)
    order by position, n
    limit ${limit + 1}`.execute(db);
  const isAll = rows.length <= limit && (rows[0]?.entries ?? 0) < MAX_READ;
  return { items: rows.slice(0, limit), end: isAll ? { entry: last, items: 0 } : undefined };
}

function idsOf(items: readonly Item[], kind: ChangeKind): string[] {
  return items.flatMap((item) => (item.kind === kind ? (item.id ?? []) : []));
}

function positionAfter({ entry, n, size }: Item): FeedPosition {
  return n === null || n === size ? { entry, items: 0 } : { entry: entry - 1, items: n };
}

/** Returns undefined for what was deleted meanwhile. */
function toChange(
  { kind, id, listId, hasJoined }: Item,
  events: ReadonlyMap<string, RecordedEvent>,
  rejections: ReadonlyMap<string, Rejection>,
): Change | undefined {
  if (id === null) return undefined;
  if (kind === 'profile') return { kind, profileId: id };
  if (kind === 'profile_change' || kind === 'automation_status' || kind === 'segment_change') return { kind, id };
  if (kind === 'list_change') {
    return { kind, listId: listId as string, profileId: id, hasJoined: hasJoined as boolean };
  }
  if (kind === 'rejection') {
    const rejection = rejections.get(id);
    return rejection && { kind, rejection };
  }
  const event = events.get(id);
  return event && { kind, event };
}

/** Returns events by id; `unread` are those at the end that might be too large together. */
async function readEvents(
  db: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<{ found: Map<string, RecordedEvent>; unread: Set<string> }> {
  if (ids.length === 0) return { found: new Map(), unread: new Set() };
  const query = sql`
    select e.*, w.n
    from unnest(${uuids(ids)}::uuid[]) with ordinality as w (id, n)
    cross join lateral (select * from event where store_id = ${storeId} and id = w.id limit 1) e
    order by w.n`;
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
