import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { lockSegments } from './lock.ts';

/** Rows that one transaction deletes. */
const MAX_ROWS = 5_000;

/**
 * Deletes rows that no longer serve: of generations that were replaced, builds that were given up, deleted segments.
 * Returns whether there may be more.
 */
export async function sweep(db: Sql, storeId: string): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    // Whoever works on the segments may still write such rows; afterwards nobody does.
    if (!(await lockSegments(tx, storeId))) return false;
    const { rows } = await sql<{ segmentId: string; generation: number; kind: 'members' | 'build' | 'segment' }>`
      select segment_id as "segmentId", generation, kind from segment_leftover
      where store_id = ${storeId} order by segment_id, generation limit 1`.execute(tx);
    const [leftover] = rows;
    if (!leftover) return false;
    const { segmentId, generation, kind } = leftover;
    let deleted = await deleteMembers(tx, storeId, segmentId, kind === 'segment' ? null : generation);
    if (deleted < MAX_ROWS && kind !== 'members') {
      deleted += await deleteChanges(tx, storeId, segmentId, kind === 'segment' ? null : generation);
    }
    if (deleted >= MAX_ROWS) return true;
    if (kind === 'segment') {
      await sql`delete from segment_day where store_id = ${storeId} and segment_id = ${segmentId}`.execute(tx);
      await sql`delete from segment_set_aside where store_id = ${storeId} and segment_id = ${segmentId}`.execute(tx);
      await sql`delete from segment_build where store_id = ${storeId} and segment_id = ${segmentId}`.execute(tx);
    }
    await sql`
      delete from segment_leftover
      where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}`.execute(tx);
    return true;
  });
}

async function deleteMembers(tx: Sql, storeId: string, segmentId: string, generation: number | null): Promise<number> {
  const { rows } = await sql`
    delete from segment_member
    where store_id = ${storeId} and segment_id = ${segmentId} and (generation, profile_id) in (
      select generation, profile_id from segment_member
      where store_id = ${storeId} and segment_id = ${segmentId}
        ${generation === null ? sql`` : sql`and generation = ${generation}`}
      order by generation, profile_id
      limit ${MAX_ROWS}
    )
    returning 1`.execute(tx);
  return rows.length;
}

async function deleteChanges(tx: Sql, storeId: string, segmentId: string, generation: number | null): Promise<number> {
  const { rows } = await sql`
    delete from segment_change
    where store_id = ${storeId} and id in (
      select id from segment_change
      where store_id = ${storeId} and segment_id = ${segmentId}
        ${generation === null ? sql`` : sql`and generation = ${generation}`}
      order by generation, id
      limit ${MAX_ROWS}
    )
    returning 1`.execute(tx);
  return rows.length;
}
