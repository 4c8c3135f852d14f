import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { isTimeout } from '../evaluate.ts';
import { giveUpBuilds } from '../request-build.ts';
import type { KeptSegment } from './segments.ts';
import type { SegmentTools } from './tools.ts';

export interface Failure {
  profileId: string;
  error: unknown;
}

/**
 * Marks a segment as failed: its members stay as they are until somebody changes it or has it built, and it says so. The
 * segments that name it fail with it, as what they would say is no longer true.
 */
export async function fail(
  tx: Sql,
  storeId: string,
  segment: KeptSegment,
  { profileId, error }: Failure,
  { log, now }: SegmentTools,
): Promise<void> {
  log.error({ err: error, segment_id: segment.id, profile_id: profileId }, 'a segment failed');
  const problem = isTimeout(error) ? 'takes too long' : 'is not possible';
  await markFailed(tx, storeId, segment.id, `Its evaluation for the profile ${profileId} ${problem}`, now());
  segment.serving = undefined;
  segment.build = undefined;
  segment.hasFailed = true;
}

async function markFailed(tx: Sql, storeId: string, id: string, failure: string, now: number): Promise<void> {
  const { rows } = await sql<{ id: string; isFirst: boolean }>`
    with recursive failed as (
      select id from segment where store_id = ${storeId} and id = ${id}
      union
      select s.id from failed f join segment s on s.store_id = ${storeId} and f.id = any(s.segment_ids)
    )
    update segment s
    set failure = case when s.id = ${id} then ${failure} else 'It names a segment that has failed: ' || ${id} end,
      stale_since = coalesce(stale_since, ${new Date(now).toISOString()}::timestamptz)
    from failed f
    where s.store_id = ${storeId} and s.id = f.id
    returning s.id`.execute(tx);
  await giveUpBuilds(tx, storeId, sql`${uuids(rows.map((row) => row.id))}::uuid[]`);
}
