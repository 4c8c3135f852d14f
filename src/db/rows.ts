import { type RawBuilder, sql } from 'kysely';
import { LOWEST_ID } from '../ids/uuid-v7.ts';
import { uuids } from './binary-arrays.ts';
import type { Tables } from './tables.ts';

type Table = keyof Tables & string;

/**
 * The row of a store that has the id which a column of another table, such as `w.id`, has: a subquery, to be joined
 * laterally. Each id is then looked up by itself, by the primary key: of a join, a planner with stale statistics makes one
 * that reads all rows of the store.
 */
export function rowById(table: Table, storeId: string, id: string): RawBuilder<unknown> {
  return sql`(select * from ${sql.table(table)} where store_id = ${storeId} and id = ${sql.ref(id)} limit 1)`;
}

/** Those with some ids, each as above; a subquery, in which `n` is the place of the id among these, from 1. */
export function rowsById(table: Table, storeId: string, ids: readonly string[]): RawBuilder<unknown> {
  return sql`(
    select found.*, w.n
    from unnest(${uuids(ids)}::uuid[]) with ordinality as w (id, n)
    cross join lateral ${rowById(table, storeId, 'w.id')} found
  )`;
}

/**
 * The same, all looked up at once, in the order of the index, which takes a third of the time where there are many; a subquery
 * in the order of their ids.
 */
export function rowsTogether(table: Table, storeId: string, ids: readonly string[]): RawBuilder<unknown> {
  let [lowest, highest] = [ids[0] ?? LOWEST_ID, ids[0] ?? LOWEST_ID];
  for (const id of ids) {
    if (id < lowest) lowest = id;
    else if (id > highest) highest = id;
  }
  // The bounds are there so that only the partitions are looked into that may have them.
  return sql`(
    select * from ${sql.table(table)}
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and id between ${lowest} and ${highest}
    order by id
    offset 0
  )`;
}

/**
 * The same as `column = value`, for where an `order by` has to name the index to read: to a planner with stale statistics
 * each index looks as good as another, and it takes an equal column for ordered anyway.
 */
export function exactly(column: string, value: string): RawBuilder<unknown> {
  const [one, other] = [sql.ref(column), sql.ref(value)];
  return sql`${one} >= ${other} and ${one} <= ${other}`;
}

/**
 * A condition as no planner relates it to an index: one of the few rows that fulfil it looks as if there were none in it, and
 * so as good a way to one row as its place.
 */
export function unindexed(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(${condition}, false)`;
}

/**
 * The row with the id of a column of another table, of one whose other indexes have ids too, by `exactly`; with its `place`,
 * as long as the statement lasts.
 */
export function rowExactly(table: Table, storeId: string, id: string): RawBuilder<unknown> {
  return sql`(
    select *, ctid as place from ${sql.table(table)}
    where store_id = ${storeId} and ${exactly('id', id)} order by id limit 1
  )`;
}

/**
 * A recursive common table expression: of each queue of a table what is due first, with its `store_id`, the column by which
 * queues of a store are told apart, and `due_at`. It takes an index of these three, and as much work as there are queues,
 * however long they are.
 */
export function headsOfQueues(name: string, table: Table, column: string): RawBuilder<unknown> {
  const [queue, owner] = [sql.table(table), sql.ref(column)];
  const first = (where: RawBuilder<unknown>) => sql`
    select store_id, ${owner}, due_at from ${queue}
    where due_at is not null and ${where}
    order by store_id, ${owner}, due_at limit 1`;
  return firsts(name, first, sql`(store_id, ${owner}) > (h.store_id, h.${owner})`);
}

/** The same of stores: the row of each that `first` finds among those that fulfil a condition, by store. */
export function firstOfStores(
  name: string,
  first: (where: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return firsts(name, first, sql`store_id > h.store_id`);
}

/** The first row, and after each the next; `h` is the one before. */
function firsts(
  name: string,
  first: (where: RawBuilder<unknown>) => RawBuilder<unknown>,
  isNext: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const heads = sql.ref(name);
  return sql`${heads} as (
      (${first(sql`true`)})
      union all
      select next.* from ${heads} h cross join lateral (${first(isNext)}) next
    )`;
}

/**
 * Common table expressions, the last of which, `taken`, deletes some rows and returns them: any, as they lie in the table.
 * Of several processes only one does, as long as its transaction lasts: the others would wait for what it adds them to.
 */
export function takeSome(table: Table, lock: string, limit: number): RawBuilder<unknown> {
  return sql`chosen as materialized (
      select pg_try_advisory_xact_lock(hashtext(${sql.lit(lock)})) as is_mine
    ), taken as (
      delete from ${sql.table(table)}
      where (select is_mine from chosen) and ctid = any(array(select ctid from ${sql.table(table)} limit ${limit}))
      returning *
    )`;
}
