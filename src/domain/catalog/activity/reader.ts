import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { addFeedReader } from '../../feed/readers.ts';

/** The name under which the position in a store's change feed is kept. A store has it while it has a catalog or coupons. */
export const READER = 'items';

/** Stores that get a reader at a time. */
const MOST = 100;

/** From then on it is followed what customers do with the items of a store. */
export const FOLLOW_CATALOGS: DataTask = {
  failure: 'stores with a catalog not followed',
  everyMs: 2_000,
  rows: 'catalog_count where items > 0',
  run: (db) => follow(db, sql`catalog_count`, sql`c.items > 0`),
};

/** The same of which coupon codes they order with. */
export const FOLLOW_COUPONS: DataTask = {
  failure: 'stores with coupons not followed',
  everyMs: 2_000,
  rows: 'coupon_pool',
  run: (db) => follow(db, sql`coupon_pool`, sql`true`),
};

async function follow(db: Sql, table: RawBuilder<unknown>, condition: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ storeId: string }>`
    select distinct c.store_id as "storeId" from ${table} c
    where ${condition}
      and not exists (select from feed_reader r where r.store_id = c.store_id and r.name = ${READER})
    limit ${MOST}`.execute(db);
  for (const { storeId } of rows) await addFeedReader(db, { storeId, name: READER });
}
