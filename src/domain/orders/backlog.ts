import { sql } from 'kysely';
import type { StoreData } from '../../db/store-data.ts';
import { OLDEST_UNREAD } from '../feed/readers.ts';
import { READER } from './reader/find-unread.ts';

/** Seconds that the oldest change of any store has waited to be read for orders. */
export async function measureOrders(stores: Pick<StoreData, 'each'>): Promise<number> {
  let lag = 0;
  await stores.each(async (db) => {
    const { rows } = await sql<{ lag: number }>`
      select coalesce(max(extract(epoch from now() - unread)), 0)::float8 as lag
      from (select ${OLDEST_UNREAD} as unread from feed_reader r where r.name = ${READER}) late`.execute(db);
    lag = Math.max(lag, rows[0]?.lag ?? 0);
  }, `feed_reader where name = '${READER}'`);
  return lag;
}
