/** What is noted of a generation that is being built: how members would change if it served now, and how far it has come. */
import { sql } from 'kysely';
import { integers, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { countOf, insertChanges, type Kind, type Move } from './apply.ts';
import type { GenerationRef } from './generations.ts';

export interface Staging {
  build: GenerationRef;
  /** Those who are in only one of the two generations: what would change. */
  changes: readonly Move[];
  /** By how many the members have become more, and of the changes those to enter and to leave. */
  members: number;
  entered: number;
  left: number;
}

/** How far all of some builds have come now: the last customer, and how many there were since the last time. */
export interface Reached {
  after: string;
  profiles: number;
}

/** Who would enter, and who would leave. */
export function differenceOf(old: ReadonlySet<string>, now: ReadonlySet<string>): Move[] {
  return [
    ...[...now].filter((id) => !old.has(id)).map((profileId): Move => ({ profileId, kind: 'entered' })),
    ...[...old].filter((id) => !now.has(id)).map((profileId): Move => ({ profileId, kind: 'left' })),
  ];
}

/**
 * Writes down what is noted of builds, in as many statements whatever their number. Returns false if one of them is none
 * any more: somebody has changed or deleted the segment.
 */
export async function writeStagings(
  tx: Sql,
  storeId: string,
  stagings: readonly Staging[],
  reached?: Reached,
): Promise<boolean> {
  const changes = stagings.flatMap(({ build: { segmentId, generation }, changes }) =>
    changes.map((change) => ({
      ...{ ...change, segmentId, generation },
      ...{ id: newId(), cause: 'definition' as const, depth: 0, at: null },
    })),
  );
  const on = reached
    ? sql`, after_profile_id = ${reached.after}::uuid, profiles = profiles + ${reached.profiles}::int`
    : sql``;
  const { rows } = await sql`
    update segment_build b
    set members = members + w.more, entered = entered + w.entering, "left" = "left" + w.leaving ${on}
    from unnest(
      ${uuids(stagings.map(({ build }) => build.segmentId))}::uuid[],
      ${integers(stagings.map(({ build }) => build.generation))}::int[],
      ${integers(stagings.map(({ members }) => members))}::int[],
      ${integers(stagings.map(({ entered }) => entered))}::int[],
      ${integers(stagings.map(({ left }) => left))}::int[]) as w (segment_id, generation, more, entering, leaving)
    where b.store_id = ${storeId} and b.segment_id = w.segment_id and b.generation = w.generation
    returning 1`.execute(tx);
  await insertChanges(tx, storeId, changes);
  return rows.length === stagings.length;
}

interface Restaging {
  build: GenerationRef;
  /** The generation that serves. */
  serving: number;
  /** Whom the generation that is being built has been evaluated for once more. */
  profileIds: readonly string[];
  /** How its members have moved. */
  moved: readonly Move[];
}

/** Notes anew how members would change. It replaces what was noted for the same customers before. */
export async function restage(
  tx: Sql,
  storeId: string,
  { build, serving, profileIds, moved }: Restaging,
): Promise<void> {
  const { segmentId, generation } = build;
  const ids = sql`${uuids(profileIds)}::uuid[]`;
  const { rows: before } = await sql<{ profileId: string; kind: Kind }>`
    delete from segment_change
    where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}
      and profile_id = any(${ids}) and changed_at is null
    returning profile_id as "profileId", kind`.execute(tx);
  const { rows } = await sql<{ profileId: string; generation: number }>`
    select profile_id as "profileId", generation from segment_member
    where store_id = ${storeId} and segment_id = ${segmentId} and generation in (${serving}, ${generation})
      and profile_id = any(${ids})`.execute(tx);
  const isIn = (wanted: number) =>
    new Set(rows.filter((row) => row.generation === wanted).map(({ profileId }) => profileId));
  const changes = differenceOf(isIn(serving), isIn(generation));
  const [noted, now, members] = [countOf(before), countOf(changes), countOf(moved)];
  const staging = {
    ...{ build, changes, members: members.entered - members.left },
    ...{ entered: now.entered - noted.entered, left: now.left - noted.left },
  };
  await writeStagings(tx, storeId, [staging]);
}
