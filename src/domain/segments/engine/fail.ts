import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { computedThrough } from '../computed-through.ts';
import { giveUpBuilds } from '../request-build.ts';
import type { KeptSegment } from './segments.ts';
import { MAX_SET_ASIDE } from './set-aside.ts';
import type { TransactionTools } from './tools.ts';

export interface Failure {
  profileId: string;
  error: unknown;
}

/**
 * Marks a segment as failed: its members stay as they are until somebody changes it or has it built, and it says so. The
 * segments that name it fail with it, as what they would say is no longer true. Called before the place in the feed moves,
 * so that they claim nothing that they have not followed.
 */
export async function fail(
  tx: Sql,
  storeId: string,
  segments: readonly KeptSegment[],
  { id, profileId, error }: Failure & { id: string },
  { log }: Pick<TransactionTools, 'log'>,
): Promise<void> {
  // Whose evaluation it was the segment says: the log can't be asked to forget somebody.
  log.error({ err: error, segment_id: id }, 'a segment failed');
  await failFor(tx, storeId, segments, id, `Its evaluation for the profile ${profileId} is not possible`);
}

/** The same where too many customers would have to be set aside. */
export async function failTooLarge(
  tx: Sql,
  storeId: string,
  segments: readonly KeptSegment[],
  id: string,
  { log }: Pick<TransactionTools, 'log'>,
): Promise<void> {
  log.error({ segment_id: id }, 'a segment failed: too many customers take too long');
  await sql`delete from segment_set_aside where store_id = ${storeId} and segment_id = ${id}`.execute(tx);
  await failFor(tx, storeId, segments, id, `Its evaluation takes too long for more than ${MAX_SET_ASIDE} customers`);
}

async function failFor(
  tx: Sql,
  storeId: string,
  segments: readonly KeptSegment[],
  id: string,
  failure: string,
): Promise<void> {
  const failed = await markFailed(tx, storeId, id, failure);
  for (const segment of segments) {
    if (!failed.has(segment.id)) continue;
    segment.serving = undefined;
    segment.build = undefined;
    segment.hasFailed = true;
  }
}

/** Marks a segment as failed that names one which has. */
export async function failWith(tx: Sql, storeId: string, id: string, named: string): Promise<void> {
  await markFailed(tx, storeId, id, NAMES_FAILED + named);
}

const NAMES_FAILED = 'It names a segment that has failed: ';

/** Returns the ids of all that have failed with it. */
async function markFailed(tx: Sql, storeId: string, id: string, failure: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with recursive failed as (
      select id from segment where store_id = ${storeId} and id = ${id}
      union
      select s.id from failed f join segment s on s.store_id = ${storeId} and f.id = any(s.segment_ids)
    )
    update segment s
    set failure = case when s.id = ${id} then ${failure} else ${NAMES_FAILED + id} end,
      stale_since = ${computedThrough(storeId)}
    from failed f
    where s.store_id = ${storeId} and s.id = f.id
    returning s.id`.execute(tx);
  const ids = rows.map((row) => row.id);
  await giveUpBuilds(tx, storeId, sql`${uuids(ids)}::uuid[]`);
  return new Set(ids);
}
