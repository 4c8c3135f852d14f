import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';

/**
 * How far a reader of a store's feed has read: all entries up to one, and some items of the entry after it. Entries get
 * their positions only once they are committed, so that none is ever to come before one that has been read.
 */
export interface FeedPosition {
  entry: number;
  items: number;
}

/** A store's feed as the database has it. */
export interface FeedState {
  /** The last position. */
  head: number;
  /** Whether there are entries that have no position yet. */
  hasNew: boolean;
}

/** Entries that get their positions in one transaction. */
const MAX_ENTRIES = 5_000;

/**
 * Gives all entries of a store that are committed their positions, and returns the last one. Another process that does
 * the same is waited for.
 */
export async function assignAllPositions(db: Sql, storeId: string): Promise<number> {
  for (;;) {
    const { head, assigned } = await assign(db, storeId, sql`for update`);
    if (head !== undefined && assigned < MAX_ENTRIES) return head;
  }
}

/** The same for the first ones; returns undefined if another process is doing it. */
export async function assignPositions(db: Sql, storeId: string): Promise<number | undefined> {
  return (await assign(db, storeId, sql`for update skip locked`)).head;
}

/**
 * Entries that are committed at the same time are in the order of their transactions: what was written after a request
 * was answered comes after what that request wrote. The lock comes before the statement that looks for entries, which
 * then sees all that the process before has given positions to.
 */
async function assign(
  db: Sql,
  storeId: string,
  lock: ReturnType<typeof sql>,
): Promise<{ head: number | undefined; assigned: number }> {
  return await db.transaction().execute(async (tx) => {
    const { rows: heads } = await sql<{ position: number }>`
      select position::float8 as position from feed_head where store_id = ${storeId} ${lock}`.execute(tx);
    if (!heads[0]) {
      await sql`insert into feed_head (store_id, position) values (${storeId}, 0) on conflict do nothing`.execute(tx);
      return { head: undefined, assigned: 0 };
    }
    const before = heads[0].position;
    // The last one of those that are left: entries may be deleted meanwhile.
    const { rows } = await sql<{ assigned: number; last: number | null }>`
      with next as (
        select id, row_number() over (order by ${IN_ORDER}) as n
        from (
          select * from (
            select ctid as id, position, xid, first_id, case when xmin <> xid::xid then added_at end as added_elsewhere_at
            from addition
            where store_id = ${storeId} and position is null
          ) as unpositioned
          -- By its position too, which none has: that is how the index finds them.
          order by position, ${IN_ORDER}
          limit ${MAX_ENTRIES}
        ) as first
      ), positioned as (
        update addition a
        set position = ${before}::bigint + next.n, ids = coalesce(a.ids, ${IDS_OF_TRANSACTION})
        from next
        where a.store_id = ${storeId} and a.ctid = next.id
        returning a.position
      ), counted as (
        select count(*) as assigned, max(position) as last from positioned
      ), moved as (
        update feed_head set position = last from counted where store_id = ${storeId} and assigned > 0
      )
      select assigned::float8 as assigned, last::float8 as last from counted`.execute(tx);
    const [{ assigned, last }] = rows as [(typeof rows)[number]];
    return { head: last ?? before, assigned };
  });
}

/**
 * What was moved here from another node of a cluster was written by the transaction that moved it, before all that was
 * written here since; its own transaction was one of that node, and says nothing about those of this one.
 */
const IN_ORDER = sql`added_elsewhere_at nulls last, xid, first_id`;

/** The rows of an entry that a process of the version before has written: those of its transaction. */
const IDS_OF_TRANSACTION = sql`
  case a.kind
    when 'event' then array(
      select id from event
      where store_id = a.store_id and id between a.first_id and a.last_id and xmin = a.xid::xid order by id)
    else array(
      select id from rejection
      where store_id = a.store_id and id between a.first_id and a.last_id and xmin = a.xid::xid order by id)
  end`;

/** Returns the feeds of stores. */
export async function readFeeds(db: Sql, stores: readonly string[]): Promise<Map<string, FeedState>> {
  const { rows } = await sql<{ heads: number[]; news: boolean[] }>`
    select
      array(
        select coalesce(position, 0)::float8
        from unnest(${stores}::uuid[]) with ordinality as s (id, n) left join feed_head on store_id = s.id
        order by n
      ) as heads,
      array(
        select exists (select from addition where store_id = s.id and position is null)
        from unnest(${stores}::uuid[]) with ordinality as s (id, n)
        order by n
      ) as news`.execute(db);
  const [{ heads, news }] = rows as [(typeof rows)[number]];
  return new Map(stores.map((storeId, i) => [storeId, { head: heads[i] as number, hasNew: news[i] as boolean }]));
}
