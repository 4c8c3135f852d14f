import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import type { DataTask } from '../../engine/periodic.ts';

/** Milliseconds for which an entry is young: for a round or two. Of customers who change all the time, all but the last. */
const YOUNG_MS = 15_000;
/** Entries of one store that are looked at at once. */
const MAX_ENTRIES = 1_000;
/** Pages of the table, of 8 KB each, from which entries are drawn. */
const MAX_PAGES = 16;
/** Share of what was drawn that was superseded, above which more is drawn. */
const MAX_SHARE = 0.1;

/** A place in the journal of a store. */
interface Place {
  /** As Postgres writes it. */
  at: string;
  entry: string;
}

/** What was looked at. */
interface Looked {
  entries: number;
  profiles: number;
  /** Those of the profiles that have changed since. */
  superseded: number;
  last: Place | null;
}

/**
 * Removes from the journal of changes what is no longer the latest change of a profile: from all young entries, and from
 * some that are drawn at random, as long as many of these are superseded. Ends soon after `until`, by `performance.now()`,
 * and leaves the rest to the next time. One process at a time: two would wait for each other's rows.
 *
 * Only what the statement sees to be superseded is removed, and that remains so: a profile that gets the same time again
 * is entered again.
 */
export async function deleteSuperseded(db: Sql, until: number): Promise<void> {
  const youngest = new Date(Date.now() - YOUNG_MS);
  for (const storeId of await storesWithYoung(db, youngest)) {
    if (performance.now() >= until) break;
    await deleteYoung(db, storeId, youngest, until);
  }
  while ((await isMuchSuperseded(db)) && performance.now() < until);
}

export const DELETE_SUPERSEDED: DataTask = {
  failure: 'superseded changes of profiles not deleted',
  everyMs: 10_000,
  rows: 'profile_update',
  forMsOfEach: 2_000,
  run: deleteSuperseded,
};

async function storesWithYoung(db: Sql, youngest: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive having_some (id) as (
      (select store_id from profile_update order by store_id limit 1)
      union all
      select (select store_id from profile_update where store_id > having_some.id order by store_id limit 1)
      from having_some where having_some.id is not null
    )
    select id from having_some
    where (select true from profile_update where store_id = having_some.id and updated_at > ${youngest} limit 1) is true
    order by random()`.execute(db);
  return rows.map(({ id }) => id);
}

async function deleteYoung(db: Sql, storeId: string, youngest: Date, until: number): Promise<void> {
  let after: Place | null = { at: youngest.toISOString(), entry: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  while (after && performance.now() < until) {
    const looked: Looked | undefined = await deleteAmong(
      db,
      sql`
        where store_id = ${storeId} and (updated_at, entry) > (${after.at}::timestamptz, ${after.entry}::uuid)
        order by updated_at, entry
        limit ${MAX_ENTRIES}`,
    );
    after = looked?.entries === MAX_ENTRIES ? looked.last : null;
  }
}

async function isMuchSuperseded(db: Sql): Promise<boolean> {
  const { rows } = await sql<{ pages: number }>`
    select (pg_relation_size('profile_update'::regclass) / current_setting('block_size')::int)::float8 as pages`.execute(
    db,
  );
  const share = Math.min(1, MAX_PAGES / Math.max(1, rows[0]?.pages ?? 0));
  const looked = await deleteAmong(db, sql`tablesample system (${100 * share}::float8)`);
  // All of it was drawn.
  if (!looked || share === 1) return false;
  return looked.superseded > MAX_SHARE * looked.profiles;
}

/** Looks at the entries that follow from `from profile_update`; undefined if another process is doing it. */
async function deleteAmong(db: Sql, which: RawBuilder<unknown>): Promise<Looked | undefined> {
  return await db.transaction().execute(async (tx) => {
    const { rows: locks } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('footfall.profile_update')) as "isMine"`.execute(tx);
    if (!locks[0]?.isMine) return undefined;
    // An entry is shortened once half of it is superseded: each profile of it is then written once more at most.
    const { rows } = await sql<Looked>`
      with looked_at as materialized (
        select ctid as place, store_id, updated_at, entry, profile_ids from profile_update ${which}
      ), judged as materialized (
        select place, store_id, cardinality(profile_ids) as size, array(
          select listed.id from unnest(profile_ids) as listed (id)
          cross join lateral (
            select updated_at from profile where store_id = looked_at.store_id and id = listed.id limit 1
          ) p
          where p.updated_at = looked_at.updated_at
        ) as left_over
        from looked_at
      ), deleted as (
        delete from profile_update u using judged j
        where u.store_id = j.store_id and u.ctid = j.place and left_over = '{}'
      ), shortened as (
        update profile_update u set profile_ids = left_over from judged j
        where u.store_id = j.store_id and u.ctid = j.place and cardinality(left_over) between 1 and size / 2
      )
      select count(*)::float8 as entries, coalesce(sum(size), 0)::float8 as profiles,
        coalesce(sum(size - cardinality(left_over)), 0)::float8 as superseded,
        (
          select json_build_object('at', updated_at::text, 'entry', entry) from looked_at
          order by updated_at desc, entry desc limit 1
        ) as last
      from judged`.execute(tx);
    return rows[0];
  });
}
