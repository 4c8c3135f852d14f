import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { lowestIdAt } from '../../ids/uuid-v7.ts';

/** Rows that one statement deletes at most. */
const MAX_ROWS = 1_000;
/** For how long it is known who entered and left. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Deletes of one part of the data the changes of segments that are too old, until some time by `performance.now()`. */
export async function deleteOldChanges(db: Sql, until: number): Promise<void> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id as "storeId" from segment_store order by random()`.execute(db);
  const before = lowestIdAt(new Date(Date.now() - KEPT_MS));
  for (const { storeId } of rows) {
    while (performance.now() < until && (await deleteSome(db, storeId, before)) === MAX_ROWS);
  }
}

async function deleteSome(db: Sql, storeId: string, before: string): Promise<number> {
  const { rows } = await sql`
    delete from segment_change
    where store_id = ${storeId} and id in (
      select id from segment_change where store_id = ${storeId} and id < ${before}::uuid order by id limit ${MAX_ROWS}
    )
    returning 1`.execute(db);
  return rows.length;
}
