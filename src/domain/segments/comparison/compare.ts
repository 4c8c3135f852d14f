import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { follow, noteFollowed } from '../engine/follow.ts';
import { withSegments } from '../engine/lock.ts';
import type { Dirty } from '../engine/origin.ts';
import { loadSegments } from '../engine/segments.ts';
import { releaseOldest } from '../engine/set-aside.ts';
import type { SegmentTools, TransactionTools } from '../engine/tools.ts';
import { OutOfTime } from '../evaluate.ts';
import { requestBuilds } from '../request-build.ts';
import { readFacts } from './facts.ts';
import { type Drift, findDrift } from './find-drift.ts';
import { addTime, advance, nextToCompare, readProgress, writeProgress } from './progress.ts';

/** Customers of one transaction. */
const PER_BATCH = 200;
/** Memberships of a batch that are named in the log. */
const MAX_LOGGED = 10;

export interface Comparison {
  /** Whether more of this night are to be compared at once. */
  isMore: boolean;
  /** Memberships that were wrong. */
  drift: number;
}

/**
 * Compares memberships of the next customers of a night with what the naive evaluator says, and repairs those that are
 * wrong. How far it has come is written last: whoever is killed leaves the batch to the next one. At the beginning of a
 * night, segments that have failed are built anew.
 */
export async function compareSome(db: Sql, storeId: string, tools: SegmentTools): Promise<Comparison> {
  // Of one night, also where the next one begins meanwhile.
  const now = tools.now();
  const looked = await withSegments(db, storeId, tools, async (tx, within) => {
    const at = await readProgress(tx, storeId, now);
    if (at.isNew) {
      await rebuildFailed(tx, storeId);
      await releaseOldest(tx, storeId, now);
      await writeProgress(tx, storeId, at, now);
    }
    const limit = Math.min(PER_BATCH, at.left);
    const ids = limit > 0 ? await nextToCompare(tx, storeId, at, limit) : [];
    const { reached, drifts } = await findDrift(tx, storeId, ids, within);
    if (reached === undefined) return undefined;
    return { next: advance(at, ids.slice(0, reached), ids.length < limit && reached === ids.length), drifts };
  });
  if (!looked) return { isMore: false, drift: 0 };
  const drift = looked.drifts.length > 0 ? await repair(db, storeId, looked.drifts, tools) : 0;
  const next = addTime(looked.next, tools.now() - now);
  const isWritten = await withSegments(db, storeId, tools, async (tx) => {
    await writeProgress(tx, storeId, next, now);
    return true;
  });
  if (next.left < looked.next.left) {
    tools.log.warn(
      { store_id: storeId, left: looked.next.left },
      'the comparison of a night has taken too long, and ends',
    );
  }
  return { isMore: isWritten === true && next.left > 0, drift };
}

/**
 * Looks again, with new eyes: what has only just been changed, or has expired, is not taken for wrong. Then has the
 * evaluator decide. Where it says what was wrong to the naive one, the two differ, and the members stay as they are.
 */
async function repair(db: Sql, storeId: string, suspects: readonly Drift[], tools: SegmentTools): Promise<number> {
  const ids = [...new Set(suspects.map(({ profileId }) => profileId))];
  const repaired = await repairAll(db, storeId, ids, tools);
  for (const { segmentId, profileId, shouldBeMember, isRepaired } of repaired.slice(0, MAX_LOGGED)) {
    // By which the customer is found, and nobody who was erased since.
    const profile_sha256 = createHash('sha256').update(profileId).digest('hex');
    const what = { store_id: storeId, segment_id: segmentId, profile_sha256, should_be_member: shouldBeMember };
    const message = isRepaired ? 'a membership was wrong, and is repaired' : 'evaluators of a segment differ';
    tools.log.error(what, message);
  }
  return repaired.length;
}

type Repaired = Drift & { isRepaired: boolean };

/** Half of the customers after the other where they are too many for one transaction. */
async function repairAll(db: Sql, storeId: string, ids: readonly string[], tools: SegmentTools): Promise<Repaired[]> {
  try {
    const repaired = await withSegments(db, storeId, tools, (tx, within) => repairSome(tx, storeId, ids, within));
    if (repaired) tools.work.add(repaired.work);
    return repaired?.drifts ?? [];
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    const half = ids.length >>> 1;
    const first = await repairAll(db, storeId, ids.slice(0, half), tools);
    return [...first, ...(await repairAll(db, storeId, ids.slice(half), tools))];
  }
}

async function repairSome(tx: Sql, storeId: string, ids: readonly string[], tools: TransactionTools) {
  const { drifts: wrong } = await findDrift(tx, storeId, ids, tools);
  const dirty = new Map(ids.map((id) => [id, [again(wrong.filter(({ profileId }) => profileId === id))]]));
  const segments = await loadSegments(tx, storeId, tools.generations);
  const followed = await follow(tx, storeId, segments, dirty, tools);
  await noteFollowed(tx, storeId, followed, tools.now());
  const facts = await readFacts(tx, storeId, ids, []);
  const drifts = wrong.map((one): Repaired => {
    const isMember = facts.get(one.profileId)?.segments.has(one.segmentId);
    return { ...one, isRepaired: isMember === one.shouldBeMember };
  });
  return { drifts, work: followed.work };
}

function again(drifts: readonly Drift[]): Dirty {
  return { what: 'drift', segmentIds: drifts.map(({ segmentId }) => segmentId), cause: 'definition', depth: 0 };
}

/** Has all segments built anew that have failed: what took too long on a slow day, or was not possible, may be so now. */
async function rebuildFailed(tx: Sql, storeId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from segment where store_id = ${storeId} and failure is not null order by id for update`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await requestBuilds(tx, storeId, ids, { reason: 'missed_changes', isStale: true });
}
