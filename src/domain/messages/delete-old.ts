import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { DataTask } from '../../engine/periodic.ts';
import { LOWEST_ID, lowestIdAt } from '../../ids/uuid-v7.ts';

/** Messages of one store that are deleted at once. */
const MOST = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes messages that have ended and are older than so many days; 0 keeps them for ever. */
export function deletionOfMessages(days: number): DataTask {
  return {
    failure: 'old messages not deleted',
    everyMs: 60_000,
    rows: 'message',
    forMs: 5_000,
    async run(db, until) {
      if (days === 0) return;
      const bound = lowestIdAt(new Date(Date.now() - days * DAY_MS));
      while ((await deleteOfEach(db, bound, until)) && performance.now() < until);
    },
  };
}

/** Some of each store. Returns whether any may have more. */
async function deleteOfEach(db: Sql, bound: string, until: number): Promise<boolean> {
  let [after, isMore] = [LOWEST_ID, false];
  for (;;) {
    const { rows } = await sql<{ storeId: string }>`
      select store_id as "storeId" from message where store_id > ${after} order by store_id limit 1`.execute(db);
    const [store] = rows;
    if (!store) return isMore;
    const { numAffectedRows = 0n } = await sql`
      delete from message
      where store_id = ${store.storeId} and id in (
        select id from message
        where store_id = ${store.storeId} and id < ${bound} and due_at is null
        order by id limit ${MOST}
        for update skip locked
      )`.execute(db);
    if (Number(numAffectedRows) === MOST) isMore = true;
    after = store.storeId;
    if (performance.now() > until) return isMore;
  }
}
