import type { Sql } from '../../../db/sql.ts';
import { follow, noteFollowed } from '../engine/follow.ts';
import { withSegments } from '../engine/lock.ts';
import type { Dirty } from '../engine/origin.ts';
import { rebuildFailed } from '../engine/rebuild-failed.ts';
import { loadSegments } from '../engine/segments.ts';
import type { SegmentTools } from '../engine/tools.ts';
import { readFacts } from './facts.ts';
import { type Drift, findDrift } from './find-drift.ts';
import { advance, nextToCompare, readProgress, writeProgress } from './progress.ts';

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
  const isWritten = await withSegments(db, storeId, tools, async (tx) => {
    await writeProgress(tx, storeId, looked.next, now);
    return true;
  });
  return { isMore: isWritten === true && looked.next.left > 0, drift };
}

/**
 * Looks again, with new eyes: what has only just been changed, or has expired, is not taken for wrong. Then has the
 * evaluator decide. Where it says what was wrong to the naive one, the two differ, and the members stay as they are.
 */
async function repair(db: Sql, storeId: string, suspects: readonly Drift[], tools: SegmentTools): Promise<number> {
  const ids = [...new Set(suspects.map(({ profileId }) => profileId))];
  const repaired = await withSegments(db, storeId, tools, async (tx, within) => {
    const { drifts: wrong } = await findDrift(tx, storeId, ids, within);
    const dirty = new Map(ids.map((id) => [id, [again(wrong.filter(({ profileId }) => profileId === id))]]));
    const segments = await loadSegments(tx, storeId, within.generations);
    const followed = await follow(tx, storeId, segments, dirty, within);
    await noteFollowed(tx, storeId, followed, tools.now());
    const facts = await readFacts(tx, storeId, ids, []);
    const drifts = wrong.map((one) => ({
      ...one,
      isRepaired: facts.get(one.profileId)?.segments.has(one.segmentId) === one.shouldBeMember,
    }));
    return { drifts, work: followed.work };
  });
  if (!repaired) return 0;
  tools.work.add(repaired.work);
  for (const { segmentId, profileId, shouldBeMember, isRepaired } of repaired.drifts.slice(0, MAX_LOGGED)) {
    const what = { store_id: storeId, segment_id: segmentId, profile_id: profileId, should_be_member: shouldBeMember };
    const message = isRepaired ? 'a membership was wrong, and is repaired' : 'evaluators of a segment differ';
    tools.log.error(what, message);
  }
  return repaired.drifts.length;
}

function again(drifts: readonly Drift[]): Dirty {
  return { what: 'drift', segmentIds: drifts.map(({ segmentId }) => segmentId), cause: 'definition', depth: 0 };
}
