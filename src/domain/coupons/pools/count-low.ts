import { sql } from 'kysely';
import type { StoreData } from '../../../db/store-data.ts';
import { STATUS_COUNTS } from '../codes/counts.ts';

/** Counts the pools of all stores that give out codes and have fewer free ones than they should. */
export async function countLowPools(stores: Pick<StoreData, 'each'>): Promise<number> {
  let low = 0;
  await stores.each(async (db) => {
    const { rows } = await sql<{ low: number }>`
      select count(*)::float8 as low
      from coupon_pool p
      cross join lateral (select ${STATUS_COUNTS}::jsonb as counts) c
      where p.low_below is not null and coalesce(p.expires_at > now(), true)
        and p.codes - coalesce((counts ->> 'assigned')::int, 0) - coalesce((counts ->> 'used')::int, 0)
          - coalesce((counts ->> 'void')::int, 0) < p.low_below`.execute(db);
    low += rows[0]?.low ?? 0;
  }, 'coupon_pool');
  return low;
}
