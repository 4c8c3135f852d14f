import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID, lowestIdAt } from '../../ids/uuid-v7.ts';

/** Milliseconds for which deliveries are kept. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Deliveries of one store that are deleted at once. */
const MOST = 1_000;

/** Deletes old deliveries, with their attempts, store by store; the oldest first, and some at a time. */
export async function deleteOldDeliveries(db: Sql, now = Date.now()): Promise<void> {
  const bound = lowestIdAt(new Date(now - KEPT_MS));
  let after = LOWEST_ID;
  for (;;) {
    const { rows } = await sql<{ storeId: string }>`
      select store_id as "storeId" from webhook_delivery
      where store_id > ${after} order by store_id limit 1`.execute(db);
    const [store] = rows;
    if (!store) return;
    await deleteOfStore(db, store.storeId, bound);
    after = store.storeId;
  }
}

async function deleteOfStore(db: Sql, storeId: string, bound: string): Promise<void> {
  await sql`
    with old as (
      select id from webhook_delivery
      where store_id = ${storeId} and id < ${bound} and due_at is null
      order by id limit ${MOST}
    ), attempts as (
      delete from webhook_attempt where store_id = ${storeId} and delivery_id in (select id from old)
    )
    delete from webhook_delivery where store_id = ${storeId} and id in (select id from old)`.execute(db);
}
