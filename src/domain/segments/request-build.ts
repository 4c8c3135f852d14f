import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { SegmentBuildRecord } from '../../db/entities/segment-build.ts';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { computedThrough } from './computed-through.ts';

export type BuildReason = SegmentBuildRecord['reason'];

/**
 * Has segments built from their latest definitions, from the beginning if they are being built. What has been built so
 * far is deleted later. `isStale`: what serves meanwhile is right up to where it is now, and no further.
 */
export async function requestBuilds(
  tx: Sql,
  storeId: string,
  segmentIds: readonly string[],
  { reason, isStale }: { reason: BuildReason; isStale: boolean },
): Promise<void> {
  if (segmentIds.length === 0) return;
  const wanted = sql`${uuids(segmentIds)}::uuid[]`;
  await giveUpBuilds(tx, storeId, wanted);
  await sql`
    with numbered as (
      update segment s set last_generation = last_generation + 1, failure = null
        ${isStale ? sql`, stale_since = ${computedThrough(storeId)}` : sql``}
      where store_id = ${storeId} and id = any(${wanted})
      returning *
    )
    insert into segment_build
      (store_id, segment_id, generation, definition, reason, after_profile_id, profiles, members, entered,
        "left", requested_at)
    select store_id, id, last_generation, definition, ${reason}, ${LOWEST_ID}::uuid, 0, 0, 0, 0, now()
    from numbered`.execute(tx);
}

/** Gives up the builds of segments that are not complete. */
export async function giveUpBuilds(tx: Sql, storeId: string, segmentIds: RawBuilder<unknown>): Promise<void> {
  await sql`
    with given_up as (
      delete from segment_build
      where store_id = ${storeId} and segment_id = any(${segmentIds}) and finished_at is null
      returning store_id, segment_id, generation
    )
    insert into segment_leftover (store_id, segment_id, generation, kind)
    select store_id, segment_id, generation, 'build' from given_up
    on conflict do nothing`.execute(tx);
}
