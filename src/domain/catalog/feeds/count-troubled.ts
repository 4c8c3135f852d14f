import { sql } from 'kysely';
import type { StoreData } from '../../../db/store-data.ts';
import { PATIENCE } from './claim.ts';

/** Counts the feeds of all stores that fail again and again, and those that wait for a confirmation. */
export async function countTroubledFeeds(
  stores: Pick<StoreData, 'each'>,
): Promise<{ failing: number; waiting: number }> {
  const counts = { failing: 0, waiting: 0 };
  await stores.each(async (db) => {
    const { rows } = await sql<typeof counts>`
      select count(*) filter (where f.failures >= ${PATIENCE}::int)::float8 as failing,
        count(*) filter (where waiting.status = 'needs_confirmation')::float8 as waiting
      from catalog_feed f
      left join lateral (
        select r.status from catalog_feed_run r
        where r.store_id = f.store_id and r.feed_id = f.id and r.status <> 'failed' order by r.id desc limit 1
      ) waiting on true`.execute(db);
    counts.failing += rows[0]?.failing ?? 0;
    counts.waiting += rows[0]?.waiting ?? 0;
  }, 'catalog_feed');
  return counts;
}
