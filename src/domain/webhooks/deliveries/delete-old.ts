import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { LOWEST_ID, lowestIdAt } from '../../../ids/uuid-v7.ts';

/** Milliseconds for which deliveries are kept. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Deliveries of one store that are deleted at once. */
const MOST = 1_000;

/**
 * Deletes old deliveries, with their attempts; the oldest first, and some of each store in turn. Ends soon after `until`,
 * by `performance.now()`, and leaves the rest to the next time.
 */
export async function deleteOldDeliveries(db: Sql, until: number): Promise<void> {
  const bound = lowestIdAt(new Date(Date.now() - KEPT_MS));
  while ((await deleteOfEach(db, bound)) && performance.now() < until);
}

export const DELETE_OLD_DELIVERIES: DataTask = {
  failure: 'old webhook deliveries not deleted',
  everyMs: 60_000,
  rows: 'webhook_delivery',
  forMs: 5_000,
  run: deleteOldDeliveries,
};

/** Returns whether some store may have more. What somebody replays, or another process deletes, is left to the next time. */
async function deleteOfEach(db: Sql, bound: string): Promise<boolean> {
  let [after, isMore] = [LOWEST_ID, false];
  for (;;) {
    const { rows } = await sql<{ storeId: string }>`
      select store_id as "storeId" from webhook_delivery
      where store_id > ${after} order by store_id limit 1`.execute(db);
    const [store] = rows;
    if (!store) return isMore;
    if ((await deleteOfStore(db, store.storeId, bound)) === MOST) isMore = true;
    after = store.storeId;
  }
}

async function deleteOfStore(db: Sql, storeId: string, bound: string): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with old as materialized (
      select id from webhook_delivery
      where store_id = ${storeId} and id < ${bound} and due_at is null
      order by id limit ${MOST}
      for update skip locked
    ), attempts as (
      delete from webhook_attempt where store_id = ${storeId} and delivery_id in (select id from old)
    ), deleted as (
      delete from webhook_delivery where store_id = ${storeId} and id in (select id from old)
      returning 1
    )
    select count(*)::int as deleted from deleted`.execute(db);
  return (rows[0] as (typeof rows)[number]).deleted;
}
