import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { AdditionRecord } from '../../db/entities/addition.ts';
import type { Sql } from '../../db/orm.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../ids/uuid-v7.ts';
import type { FeedPosition } from './positions.ts';

export type ChangeKind = AdditionRecord['kind'];

/** How many automations led to something, one after the other, and what these began with. */
export interface Led {
  depth: number;
  /** Null if a process of the version before has not said it. */
  chain: string | null;
}

/** A part of the feed: entries of some kinds. */
export interface FeedRange<Kind extends ChangeKind = ChangeKind> {
  from: FeedPosition;
  /** Its last entry. */
  to: number;
  kinds: readonly Kind[];
}

/** What was entered into the feed at one place, and what is the same of all its items. */
export interface Entry<Kind extends ChangeKind = ChangeKind> {
  position: number;
  kind: Kind;
  /** Those of its items that were read, in order, and how many there were before these. */
  ids: string[];
  done: number;
  /** Items that it has in all. */
  size: number;
  /** When its transaction began, in milliseconds of Unix time: everything in it was committed later. */
  addedAt: number;
  /** Of a change of a list; `hasJoined` of one of consent as well: whether it was given. */
  listId: string | null;
  hasJoined: boolean | null;
  /** Of a change of consent: for which channel, and whether a page or an app made it. */
  channel: AdditionRecord['channel'] | null;
  fromClient: boolean | null;
  /** Of a change of profiles, of a list or of consent: what it was if it was not one like any other, and how many automations led to it. */
  cause: 'consent' | 'import' | 'merge' | null;
  depth: number;
  /** What these began with, for each of the ids. */
  chains: (string | null)[] | null;
}

/** An item of an entry, and the position of a reader who has read it. */
export interface EntryItem<Kind extends ChangeKind = ChangeKind>
  extends Pick<
    Entry<Kind>,
    'kind' | 'addedAt' | 'listId' | 'hasJoined' | 'cause' | 'depth' | 'channel' | 'fromClient'
  > {
  id: string;
  chain: string | null;
  position: FeedPosition;
}

/** Entries of all kinds that one query passes, and those of the wanted kinds of which it reads the items. */
const [MAX_PASSED, MAX_READ] = [5_000, 2_000];
/** More than an entry has. */
const ALL_ITEMS = 1_000_000_000;

interface Row extends Omit<Entry, 'ids' | 'chains'> {
  ids: string;
  chains: string | null;
}

/**
 * Returns the first entries of a part of the feed, with `items` items at the most, and the position after these; where
 * they are to be `whole`, no further entry is begun after so many. The ids come as one text for each entry: a row for each
 * of them would cost more than all else that is done about an item which the reader has no use for.
 */
export async function readEntries<Kind extends ChangeKind>(
  db: Sql,
  storeId: string,
  { from, to, kinds }: FeedRange<Kind>,
  { items, whole = false }: { items: number; whole?: boolean },
): Promise<{ entries: Entry<Kind>[]; end: FeedPosition }> {
  const last = Math.min(to, from.entry + MAX_PASSED);
  const most = Math.min(items, MAX_READ);
  const read = sql`[done + 1 : done + ${whole ? ALL_ITEMS : items}::int - before]`;
  const { rows } = await sql<Row>`
    select position::float8 as position, kind, done, cardinality(ids) as size,
      array_to_string(ids${read}, ',') as ids, array_to_string(chains${read}, ',', '') as chains,
      (extract(epoch from added_at) * 1000)::float8 as "addedAt", list_id as "listId", has_joined as "hasJoined",
      cause, coalesce(depth, 0) as depth, channel, from_client as "fromClient"
    from (
      select *,
        coalesce(sum(greatest(0, cardinality(ids) - done))
          over (order by position rows between unbounded preceding and 1 preceding), 0)::int as before
      from (
        select position, kind, ids, chains, added_at, list_id, has_joined, cause, depth, channel, from_client,
          case position when ${from.entry + 1}::bigint then ${from.items}::int else 0 end as done
        from addition
        where store_id = ${storeId} and position > ${from.entry}::bigint and position <= ${last}::bigint
          and kind = any(${texts(kinds)}::text[])
        order by position
        limit ${most}
      ) as entry
    ) as entry
    where before < ${items}::int
    order by position`.execute(db);
  const entries = rows.map(({ ids, chains, ...entry }) => ({
    ...(entry as Omit<Entry<Kind>, 'ids' | 'chains'>),
    ids: ids === '' ? [] : ids.split(','),
    chains: chains === null ? null : chains.split(',').map((chain) => chain || null),
  }));
  const lastRead = entries.at(-1);
  if (!lastRead) return { entries, end: { entry: last, items: 0 } };
  const end = positionAfter(lastRead, lastRead.done + lastRead.ids.length);
  const count = entries.reduce((sum, entry) => sum + entry.ids.length, 0);
  const isMore = end.items > 0 || rows.length === most || count >= items;
  return { entries, end: isMore ? end : { entry: last, items: 0 } };
}

export function itemsOf<Kind extends ChangeKind>(entries: readonly Entry<Kind>[]): EntryItem<Kind>[] {
  return entries.flatMap((entry) => {
    const { kind, addedAt, listId, hasJoined, cause, depth, channel, fromClient, chains } = entry;
    return entry.ids.map((id, i) => ({
      ...{ id, kind, addedAt, listId, hasJoined, cause, depth, channel, fromClient, chain: chains?.[i] ?? null },
      position: positionAfter(entry, entry.done + i + 1),
    }));
  });
}

function positionAfter({ position, size }: Pick<Entry, 'position' | 'size'>, items: number): FeedPosition {
  return items >= size ? { entry: position, items: 0 } : { entry: position - 1, items };
}

/**
 * Enters rows into the feed, in their order, if the condition holds. A process of the version before finds them between
 * the lowest id and the highest.
 */
export function enter(
  storeId: string,
  kind: ChangeKind,
  rows: readonly { id: string }[],
  condition = sql`true`,
): RawBuilder<unknown> {
  const ids = rows.map(({ id }) => id);
  let [first, last] = [HIGHEST_ID, LOWEST_ID];
  for (const id of ids) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return sql`
    insert into addition (store_id, first_id, last_id, kind, ids)
    select ${storeId}::uuid, ${first}::uuid, ${last}::uuid, ${sql.lit(kind)}, ${uuids(ids)}::uuid[]
    where ${condition}`;
}
