import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { DataTask } from '../../engine/periodic.ts';
import { lowestIdAt } from '../../ids/uuid-v7.ts';

/** Rows that one statement deletes at most. */
const MAX_ROWS = 1_000;
/** For how long it is known who entered and left. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * Deletes of one part of the data the changes of segments that are too old, and the builds of which none is left, until some
 * time by `performance.now()`.
 */
export async function deleteOldChanges(db: Sql, until: number): Promise<void> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id as "storeId" from segment_store order by random()`.execute(db);
  const before = lowestIdAt(new Date(Date.now() - KEPT_MS));
  for (const { storeId } of rows) {
    while (performance.now() < until && (await deleteSome(db, storeId, before)) === MAX_ROWS);
    if (performance.now() < until) await deleteBuilds(db, storeId);
  }
}

export const DELETE_OLD_CHANGES: DataTask = {
  failure: 'old changes of segments not deleted',
  everyMs: 60_000,
  rows: 'segment_store',
  forMs: 5_000,
  run: deleteOldChanges,
};

async function deleteSome(db: Sql, storeId: string, before: string): Promise<number> {
  const { rows } = await sql`
    delete from segment_change
    where store_id = ${storeId} and id in (
      select id from segment_change where store_id = ${storeId} and id < ${before}::uuid order by id limit ${MAX_ROWS}
    )
    returning 1`.execute(db);
  return rows.length;
}

/** A generation that serves no longer gets no changes any more; its build says since when those that it has are true. */
async function deleteBuilds(db: Sql, storeId: string): Promise<void> {
  await sql`
    delete from segment_build
    where store_id = ${storeId} and (segment_id, generation) in (
      select b.segment_id, b.generation
      from segment s
      join segment_build b on b.store_id = ${storeId} and b.segment_id = s.id and b.generation < s.generation
      where s.store_id = ${storeId}
        and not exists (
          select from segment_change c
          where c.store_id = ${storeId} and c.segment_id = b.segment_id and c.generation = b.generation
        )
      limit ${MAX_ROWS}
    )`.execute(db);
}
