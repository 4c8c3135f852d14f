import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { DataTask } from '../../engine/periodic.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';

const KEPT_FOR = sql`interval '1 day'`;
/** Hits of one store that are deleted at once. */
const MOST = 5_000;

/** Deletes what has been counted long ago, of each store in turn. */
export function deletionOfHits(): DataTask {
  let after = LOWEST_ID;
  return {
    failure: 'old opens and clicks not deleted',
    everyMs: 60_000,
    rows: 'message_hit',
    forMs: 5_000,
    async run(db, until) {
      while (performance.now() < until) {
        const storeId = await nextStore(db, after);
        after = storeId ?? LOWEST_ID;
        if (storeId === undefined) return;
        await deleteOfStore(db, storeId, until);
      }
    },
  };
}

async function nextStore(db: Sql, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id as "storeId" from message_hit where store_id > ${after} order by store_id limit 1`.execute(db);
  return rows[0]?.storeId;
}

/** Those of messages that are deleted as well: nothing is known to judge them by. */
async function deleteOfStore(db: Sql, storeId: string, until: number): Promise<void> {
  let deleted = MOST;
  while (deleted === MOST && performance.now() < until) {
    const { numAffectedRows = 0n } = await sql`
      delete from message_hit
      where store_id = ${storeId} and (message_id, id) in (
        select message_id, id from message_hit
        where store_id = ${storeId} and hit_at < now() - ${KEPT_FOR}
        order by hit_at limit ${MOST}
        for update skip locked
      )`.execute(db);
    deleted = Number(numAffectedRows);
  }
}
