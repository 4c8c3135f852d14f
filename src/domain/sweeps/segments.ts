import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { countDay } from '../segments/engine/apply.ts';
import { holdSegments } from '../segments/engine/lock.ts';
import type { Gone, Step } from './step.ts';

/**
 * Takes the customer out of all segments, and out of those that are being built: nobody evaluates somebody who is not there.
 * They leave by the counts of the day; no automation starts.
 */
export const sweepSegments: Step = async (tx, gone) => {
  const { storeId, profileId } = gone;
  await holdSegments(tx, storeId);
  const { rows: coming } = await sql<{ segmentId: string; generation: number; entered: number; left: number }>`
    with gone as (
      delete from segment_change
      where store_id = ${storeId} and profile_id = ${profileId} and changed_at is null
      returning segment_id, generation, kind
    )
    select segment_id as "segmentId", generation, (count(*) filter (where kind = 'entered'))::int as entered,
      (count(*) filter (where kind = 'left'))::int as "left"
    from gone group by 1, 2`.execute(tx);
  const { rows: members } = await sql<{ segmentId: string; generation: number }>`
    delete from segment_member where store_id = ${storeId} and profile_id = ${profileId}
    returning segment_id as "segmentId", generation`.execute(tx);
  for (const { segmentId, generation, entered, left } of coming) {
    await changeBuild(tx, gone, { segmentId, generation }, { members: 0, entered, left });
  }
  for (const one of members) {
    if (await leaveServing(tx, gone, one)) {
      await countDay(tx, storeId, [{ segmentId: one.segmentId, entered: 0, left: 1 }], Date.now());
    } else await changeBuild(tx, gone, one, { members: 1, entered: 0, left: 0 });
  }
  return { counts: { segment_member: members.length, segment_change: coming.length }, next: null };
};

interface OfSegment {
  segmentId: string;
  generation: number;
}

/** Returns whether the generation is the one that serves. */
async function leaveServing(tx: Sql, { storeId }: Gone, { segmentId, generation }: OfSegment): Promise<boolean> {
  const { rows } = await sql`
    update segment set members = members - 1
    where store_id = ${storeId} and id = ${segmentId} and generation = ${generation} returning 1`.execute(tx);
  return rows.length > 0;
}

async function changeBuild(
  tx: Sql,
  { storeId }: Gone,
  { segmentId, generation }: OfSegment,
  fewer: { members: number; entered: number; left: number },
): Promise<void> {
  await sql`
    update segment_build
    set members = members - ${fewer.members}, entered = entered - ${fewer.entered}, "left" = "left" - ${fewer.left}
    where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}
      and finished_at is null`.execute(tx);
}
