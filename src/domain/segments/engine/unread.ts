import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';

/** The name under which the position in a store's change feed is kept. */
export const READER = 'segments';

/** Kinds of entries that segments may ask for. */
export const KINDS = ['event', 'profile', 'list_change'] as const;

/** Entries that are looked at in one transaction, and items after which no further one is read. */
const MAX_ENTRIES = 2_000;
export const MAX_ITEMS = 3_000;

/** What was entered into the feed at one place. */
export interface Entry {
  position: number;
  kind: (typeof KINDS)[number];
  ids: string[];
  /** Milliseconds; everything in it was committed later. */
  addedAt: number;
  /** Of a change of a list. */
  listId: string | null;
  /** Of a change of profiles, or of a list: what it was if it was not one like any other, and how many automations led to it. */
  cause: 'consent' | 'import' | null;
  depth: number;
  /** What these began with, for each of the ids. */
  chains: (string | null)[] | null;
}

export interface Unread {
  entries: Entry[];
  /** The position after them. */
  reached: number;
  head: number;
  /** Whether entries were deleted before they were read. */
  hasGap: boolean;
}

/** Returns what the segments of a store have still to read first; undefined if they have no place in the feed. */
export async function readUnread(tx: Sql, storeId: string, maxItems = MAX_ITEMS): Promise<Unread | undefined> {
  const { rows: places } = await sql<{ entry: number; head: number; next: number | null }>`
    select r.entry::float8 as entry, h.position::float8 as head, (
        select position::float8 from addition a
        where a.store_id = r.store_id and a.position > r.entry order by position limit 1
      ) as next
    from feed_reader r join feed_head h on h.store_id = r.store_id
    where r.store_id = ${storeId} and r.name = ${READER}
    for no key update of r`.execute(tx);
  const [place] = places;
  if (!place) return undefined;
  const { entry, head, next } = place;
  if (entry >= head) return { entries: [], reached: entry, head, hasGap: false };
  if (next !== entry + 1) return { entries: [], reached: head, head, hasGap: true };
  const last = Math.min(head, entry + MAX_ENTRIES);
  // The first one whatever its size.
  const { rows } = await sql<Entry>`
    select position, kind, ids, "addedAt", "listId", cause, depth, chains from (
      select position::float8 as position, kind, ids, (extract(epoch from added_at) * 1000)::float8 as "addedAt",
        list_id as "listId", cause, coalesce(depth, 0) as depth, chains,
        sum(cardinality(ids)) over (order by position rows between unbounded preceding and 1 preceding) as before
      from addition
      where store_id = ${storeId} and position > ${entry}::bigint and position <= ${last}::bigint
        and kind = any(${texts(KINDS)}::text[])
    ) as e
    where coalesce(before, 0) < ${maxItems}::int
    order by position`.execute(tx);
  const items = rows.reduce((sum, { ids }) => sum + ids.length, 0);
  const reached = items < maxItems ? last : (rows.at(-1) as Entry).position;
  return { entries: rows, reached, head, hasGap: false };
}

export async function moveReader(tx: Sql, storeId: string, entry: number): Promise<void> {
  await sql`
    update feed_reader set entry = ${entry}::bigint, items = 0, read_at = now()
    where store_id = ${storeId} and name = ${READER}`.execute(tx);
}

/** An event as far as it says which segments to look at. */
export interface EventNote {
  profileId: string;
  type: string;
  isBackfill: boolean;
  /** How many automations led to it. */
  depth: number;
  /** The id of what these began with. */
  chain: string | null;
}

/** Returns events of some types, of all types if `types` is null. */
export async function readEventNotes(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
  types: ReadonlySet<string> | null,
): Promise<EventNote[]> {
  if (ids.length === 0 || types?.size === 0) return [];
  const { rows } = await sql<EventNote>`
    select e.profile_id as "profileId", e.event_type as type,
      coalesce(e.source ->> 'backfill' = 'true', false) as "isBackfill",
      coalesce((e.source #>> '{automation,depth}')::int, 0) as depth, e.source #>> '{automation,chain}' as chain
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (
      select profile_id, event_type, source from event
      where store_id = ${storeId} and id >= w.id and id <= w.id order by id limit 1
    ) e
    ${types ? sql`where e.event_type = any(${texts([...types])}::text[])` : sql``}`.execute(tx);
  return rows;
}
