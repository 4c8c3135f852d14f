import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { findOnEach, type StoreData } from '../../db/store-data.ts';

/**
 * Since when a store is a copy that was restored from a backup, and whoever was erased after that backup may be there again: the list of
 * erasures has not been done again. Undefined for any other.
 */
export async function findGap(db: Sql, storeId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ restored: number }>`
    select (extract(epoch from restored_at) * 1000)::float8 as restored from erasure_gap
    where store_id = ${storeId}`.execute(db);
  return rows[0] && new Date(rows[0].restored);
}

/** Erasures were done again, or somebody says that there are none. Returns whether that was so for the first time. */
export async function closeGap(db: Sql, storeId: string): Promise<boolean> {
  const { rows } = await sql`delete from erasure_gap where store_id = ${storeId} returning 1`.execute(db);
  return rows.length > 0;
}

/** Whether erasures are to be done again in any store. */
export async function hasGaps(stores: StoreData): Promise<boolean> {
  const found = await findOnEach(stores, async (db) => {
    const { rows } = await sql`select from erasure_gap limit 1`.execute(db);
    return rows;
  });
  return found.length > 0;
}
