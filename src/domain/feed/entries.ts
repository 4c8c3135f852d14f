import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import type { ChangeKind } from './changes.ts';
import type { FeedPosition } from './positions.ts';

/** An item of an entry, by its number in it from 1. */
export interface EntryItem {
  entry: number;
  kind: ChangeKind;
  n: number;
  id: string;
  /** Whether it is the last one of its entry. */
  isLast: boolean;
  addedAt: number;
  /** Of a change of a list. */
  listId: string | null;
  hasJoined: boolean | null;
}

/** Entries that one query looks at, and those among them of which it reads the ids. */
const [MAX_ENTRIES, MAX_READ] = [5_000, 1_000];

interface Row extends Pick<EntryItem, 'entry' | 'kind' | 'addedAt' | 'listId' | 'hasJoined'> {
  ids: string;
  /** How many entries there are of which the ids could be read. */
  entries: number;
}

/**
 * Returns the first items of a part of the feed, in its order and at most `limit`. `end`: the position after the entries
 * that were read if these are all their items; of some entries, nothing may be left. The ids come as one text for each
 * entry: a row for each of them would cost more than all else that is done about an item which the reader has no use for.
 */
export async function readEntries(
  db: Sql,
  storeId: string,
  { from, to, kinds }: { from: FeedPosition; to: number; kinds: readonly ChangeKind[] },
  limit: number,
): Promise<{ items: EntryItem[]; end: FeedPosition | undefined }> {
  const last = Math.min(to, from.entry + MAX_ENTRIES);
  const { rows } = await sql<Row>`
    select position::float8 as entry, kind, array_to_string(ids, ',') as ids, entries,
      (extract(epoch from added_at) * 1000)::float8 as "addedAt", list_id as "listId", has_joined as "hasJoined"
    from (
      select *, count(*) over ()::int as entries,
        sum(cardinality(ids)) over (order by position rows between unbounded preceding and 1 preceding) as before
      from (
        select position, kind, ids, added_at, list_id, has_joined from addition
        where store_id = ${storeId} and position > ${from.entry}::bigint and position <= ${last}::bigint
          and kind = any(${texts(kinds)}::text[])
        order by position
        limit ${MAX_READ}
      ) as entry
    ) as entry
    where coalesce(before, 0) < ${limit + from.items}::int
    order by position`.execute(db);
  const items = rows.flatMap((row) => itemsOf(row, row.entry === from.entry + 1 ? from.items : 0));
  if (items.length > limit) return { items: items.slice(0, limit), end: undefined };
  const lastRead = rows.at(-1);
  const isMore = lastRead && (rows.length < lastRead.entries || rows.length === MAX_READ);
  return { items, end: { entry: isMore ? lastRead.entry : last, items: 0 } };
}

function itemsOf({ ids, entries: _, ...entry }: Row, done: number): EntryItem[] {
  if (ids === '') return [];
  const all = ids.split(',');
  const items: EntryItem[] = [];
  for (let i = done; i < all.length; i += 1) {
    items.push({ ...entry, n: i + 1, id: all[i] as string, isLast: i === all.length - 1 });
  }
  return items;
}
