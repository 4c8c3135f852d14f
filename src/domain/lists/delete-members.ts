import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import type { DataTask } from '../../engine/periodic.ts';
import { insertListChange } from './members.ts';

/** Members that one transaction deletes. */
const BATCH = 5_000;

/**
 * Deletes members of lists that are gone, those of the list that was deleted first before all others, until none is left
 * or a time (`performance.now()`) has come. Several processes may do it at once.
 */
export async function deleteMembersOfDeleted(db: Sql, until: number): Promise<void> {
  while (performance.now() < until && (await deleteBatch(db)));
}

export const DELETE_MEMBERS_OF_DELETED: DataTask = {
  failure: 'members of deleted lists not deleted',
  everyMs: 5_000,
  rows: 'list_deletion',
  // No store waits for those in another part of the data.
  forMsOfEach: 1_000,
  run: deleteMembersOfDeleted,
};

/** Returns whether there was a list to work on. What was deleted before is not passed over again. */
async function deleteBatch(db: Sql): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ storeId: string; listId: string; reached: string }>`
      select store_id as "storeId", list_id as "listId", reached from list_deletion
      order by deleted_at
      limit 1
      for update skip locked`.execute(tx);
    if (!rows[0]) return false;
    const { storeId, listId, reached } = rows[0];
    const { rows: left } = await sql<{ last: string | null; deleted: number }>`
      with batch as materialized (
        select profile_id from list_member
        where store_id = ${storeId} and list_id = ${listId} and profile_id > ${reached}
        order by profile_id
        limit ${BATCH}
      ), gone as (
        -- By a range: by their ids, Postgres 15 looks at all members that are left.
        delete from list_member
        where store_id = ${storeId} and list_id = ${listId} and profile_id > ${reached}
          and profile_id <= (select profile_id from batch order by profile_id desc limit 1)
        returning profile_id
      ), entered as (
        ${insertListChange(storeId, listId, { moved: 'gone', hasJoined: false })}
      )
      select (select profile_id from gone order by profile_id desc limit 1) as last,
        (select count(*)::int from gone) as deleted`.execute(tx);
    const [{ last, deleted }] = left as [(typeof left)[number]];
    if (last === null || deleted < BATCH) {
      await sql`delete from list_deletion where store_id = ${storeId} and list_id = ${listId}`.execute(tx);
    } else {
      await sql`
        update list_deletion set reached = ${last}
        where store_id = ${storeId} and list_id = ${listId}`.execute(tx);
    }
    return true;
  });
}
