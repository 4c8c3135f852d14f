import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';

/** Codes that one transaction deletes. */
const BATCH = 5_000;

/** Deletes codes of pools that are gone, until none is left or a time (`performance.now()`) has come. */
export async function deleteCodesOfDeleted(db: Sql, until: number): Promise<void> {
  while (performance.now() < until && (await deleteBatch(db)));
}

export const DELETE_CODES_OF_DELETED: DataTask = {
  failure: 'codes of deleted coupon pools not deleted',
  everyMs: 5_000,
  rows: 'coupon_pool_deletion',
  // No store waits for those in another part of the data.
  forMsOfEach: 1_000,
  run: deleteCodesOfDeleted,
};

/** Returns whether there was a pool to work on. */
async function deleteBatch(db: Sql): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ storeId: string; poolId: string }>`
      select store_id as "storeId", pool_id as "poolId" from coupon_pool_deletion
      order by deleted_at
      limit 1
      for update skip locked`.execute(tx);
    if (!rows[0]) return false;
    const { storeId, poolId } = rows[0];
    const { numAffectedRows = 0n } = await sql`
      delete from coupon_code
      where store_id = ${storeId} and pool_id = ${poolId} and id <= coalesce((
        select id from coupon_code
        where store_id = ${storeId} and pool_id = ${poolId}
        order by id
        offset ${BATCH - 1}
        limit 1
      ), 'ffffffff-ffff-ffff-ffff-ffffffffffff')`.execute(tx);
    if (numAffectedRows >= BATCH) return true;
    await sql`
      with gone as (
        delete from coupon_count where store_id = ${storeId} and pool_id = ${poolId}
      ), new_gone as (
        delete from coupon_count_new where store_id = ${storeId} and pool_id = ${poolId}
      )
      delete from coupon_pool_deletion where store_id = ${storeId} and pool_id = ${poolId}`.execute(tx);
    return true;
  });
}
