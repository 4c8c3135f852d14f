import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { leavesOf } from '../../conditions/tree.ts';
import { isMember } from '../core/naive.ts';
import { expired, FIRST_PARTITION } from '../engine/find-expired.ts';
import { type KeptSegment, loadSegments } from '../engine/segments.ts';
import type { TransactionTools } from '../engine/tools.ts';
import { readFacts, thatFit } from './facts.ts';
import { findPending } from './pending.ts';

/** Milliseconds before and after now: whose membership changes within them is not compared. */
const SKEW_MS = 10_000;
/** Events of a batch, each of which is looked at for each condition. */
const MAX_LOOKS = 2_000_000;

/** A membership that is not what the naive evaluator says. */
export interface Drift {
  segmentId: string;
  profileId: string;
  shouldBeMember: boolean;
}

export interface Found {
  /** How many of the customers were looked at; undefined if nothing can be said now. */
  reached: number | undefined;
  drifts: Drift[];
}

/**
 * Compares the memberships of customers, as far as they fit into memory, in a transaction that has the store's segments
 * locked. What is committed while they are read has still to be followed, so those who are pending are found afterwards.
 */
export async function findDrift(
  tx: Sql,
  storeId: string,
  profileIds: readonly string[],
  tools: TransactionTools,
): Promise<Found> {
  const segments = await comparable(tx, storeId, await loadSegments(tx, storeId, tools.generations));
  if (segments.length === 0) return { reached: profileIds.length, drifts: [] };
  const now = tools.now();
  const leaves = segments.reduce((sum, { definition }) => sum + [...leavesOf(definition)].length, 0);
  const { reached, ids } = await thatFit(tx, storeId, profileIds, Math.floor(MAX_LOOKS / leaves));
  const lists = [...new Set(segments.flatMap(({ uses }) => [...uses.lists]))];
  const known = await readFacts(tx, storeId, ids, lists);
  const pending = await findPending(tx, storeId, ids, now + SKEW_MS);
  if (!pending) return { reached: undefined, drifts: [] };
  const drifts: Drift[] = [];
  for (const [profileId, facts] of known) {
    // Others of the same thread have something to do, too.
    await setImmediate();
    if (pending.has(profileId)) continue;
    for (const { segmentId, definition, setAside } of segments) {
      if (setAside.has(profileId)) continue;
      const says = (at: number) => isMember(definition, facts, at);
      const shouldBeMember = says(now);
      if (shouldBeMember === facts.segments.has(segmentId)) continue;
      if (says(now - SKEW_MS) !== shouldBeMember || says(now + SKEW_MS) !== shouldBeMember) continue;
      drifts.push({ segmentId, profileId, shouldBeMember });
      // Those that name it come later, and are right if they follow from what it should be.
      if (shouldBeMember) facts.segments.set(segmentId, now);
      else facts.segments.delete(segmentId);
    }
  }
  return { reached, drifts };
}

/** Those whose members are claimed to be right. */
async function comparable(tx: Sql, storeId: string, segments: readonly KeptSegment[]) {
  const { rows } = await sql<{ id: string }>`
    select s.id from segment s
    where s.store_id = ${storeId} and s.stale_since is null and s.failure is null
      and not coalesce(${expired(FIRST_PARTITION, sql`${storeId}`)}, false)`.execute(tx);
  const right = new Set(rows.map(({ id }) => id));
  return segments.flatMap(({ id, serving, setAside }) => (serving && right.has(id) ? [{ ...serving, setAside }] : []));
}
