import { sql } from 'kysely';
import { integers, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { evaluate } from '../evaluate.ts';
import { requestBuilds } from '../request-build.ts';
import {
  type Appointments,
  addAppointments,
  type Counts,
  countDay,
  insertChanges,
  type Kind,
  type Move,
  moveMembers,
  noteDue,
} from './apply.ts';
import { fail, failWith } from './fail.ts';
import { firstPartition } from './first-partition.ts';
import { keyOf } from './generations.ts';
import { withSegments } from './lock.ts';
import { type KeptSegment, loadSegments, type OpenBuild } from './segments.ts';
import type { SegmentTools, TransactionTools } from './tools.ts';
import type { SegmentWork } from './work.ts';

/** Customers of one range, which one transaction evaluates. */
export const MAX_RANGE = 5_000;

/**
 * Builds one range of segments that have come equally far: the next customers in the order of their ids, whose events are
 * read once for all of them. Whoever has come meanwhile, with the changes of those who are done, is up to those who follow
 * changes. After the last one the new members serve. Returns whether there may be more to build, or undefined if another
 * process works on the store's segments.
 */
export async function buildRange(
  db: Sql,
  storeId: string,
  shared: SegmentTools,
  range: number,
): Promise<boolean | undefined> {
  const built = await withSegments(db, storeId, shared, async (tx, tools): Promise<Built> => {
    const segments = await loadSegments(tx, storeId, tools.generations);
    const next = nextToBuild(segments);
    if (next.length === 0) return { isMore: false };
    const isFailing = await failWithNamed(tx, storeId, next, segments);
    if (isFailing) return { isMore: true };
    const [{ build: first }] = next as [Building];
    if (!first.isStarted) {
      await start(tx, storeId, next, tools);
      return { isMore: true };
    }
    const ids = await nextProfiles(tx, storeId, first.afterProfileId, range);
    if (ids.length > 0) {
      await evaluateRange(tx, storeId, next, ids, tools);
      return { isMore: true, work: [{ evaluated: ids.length }] };
    }
    const work: Partial<SegmentWork>[] = [];
    for (const { segment, build } of next) work.push(await finish(tx, storeId, segment, build, tools));
    return { isMore: true, work };
  }).catch((error): Built => {
    if (error instanceof GivenUp) return { isMore: true };
    throw error;
  });
  for (const work of built?.work ?? []) shared.work.add(work);
  return built?.isMore;
}

interface Building {
  segment: KeptSegment;
  build: OpenBuild;
}

interface Built {
  isMore: boolean;
  work?: Partial<SegmentWork>[];
}

class GivenUp extends Error {}

/**
 * Those that name no segment that is still to be built, and have come as far as the first one. Those that have begun come
 * first; the others begin together.
 */
function nextToBuild(segments: readonly KeptSegment[]): Building[] {
  const waiting = new Set(segments.filter(({ build }) => build).map(({ id }) => id));
  const ready = segments.flatMap((segment) => {
    const { build } = segment;
    return build && ![...build.uses.segments].some((id) => waiting.has(id)) ? [{ segment, build }] : [];
  });
  const begun = ready.filter(({ build }) => build.isStarted);
  const after = begun[0]?.build.afterProfileId;
  return after === undefined ? ready : begun.filter(({ build }) => build.afterProfileId === after);
}

/** Has those fail that name a segment which has failed. Returns whether there were any. */
async function failWithNamed(
  tx: Sql,
  storeId: string,
  next: readonly Building[],
  segments: readonly KeptSegment[],
): Promise<boolean> {
  let isFailing = false;
  for (const { segment, build } of next) {
    const named = segments.find(({ id, hasFailed }) => hasFailed && build.uses.segments.has(id));
    if (!named) continue;
    await failWith(tx, storeId, segment.id, named.id);
    isFailing = true;
  }
  return isFailing;
}

async function start(tx: Sql, storeId: string, next: readonly Building[], tools: TransactionTools): Promise<void> {
  const builds = next.map(({ build }) => build);
  await sql`
    with counted as materialized (select count(*) as profiles from profile where store_id = ${storeId})
    update segment_build b
    set started_at = ${new Date(tools.now()).toISOString()}::timestamptz, first_partition = ${await firstPartition(tx)},
      total = counted.profiles
    from counted, unnest(
      ${uuids(builds.map(({ segmentId }) => segmentId))}::uuid[],
      ${integers(builds.map(({ generation }) => generation))}::int[]) as w (segment_id, generation)
    where b.store_id = ${storeId} and b.segment_id = w.segment_id and b.generation = w.generation`.execute(tx);
}

/** Evaluates the next customers, and moves the members that are being built. */
async function evaluateRange(
  tx: Sql,
  storeId: string,
  next: readonly Building[],
  ids: readonly string[],
  tools: TransactionTools,
): Promise<void> {
  const now = tools.now();
  const evaluables = next.map(({ build }) => ({ key: keyOf(build), definition: build.definition }));
  const { verdicts, failed } = await evaluate(tx, evaluables, ids, { storeId, now });
  const appointments: Appointments = new Map();
  for (const { segment, build } of next) {
    const failure = failed.get(keyOf(build));
    if (failure) {
      await fail(tx, storeId, [], { id: segment.id, ...failure }, tools);
      continue;
    }
    const ofBuild = verdicts.get(keyOf(build)) ?? new Map();
    const moved = await moveMembers(tx, storeId, build, ofBuild, { now });
    const isCurrent = await moveOn(tx, storeId, build, { after: ids.at(-1) as string, profiles: ids.length });
    // Somebody has changed or deleted the segment: what is built now is another one.
    if (!isCurrent) throw new GivenUp();
    await stageChanges(tx, storeId, { build, serving: segment.generation, profileIds: ids, moved });
    addAppointments(appointments, ofBuild);
  }
  await noteDue(tx, storeId, appointments);
}

async function nextProfiles(tx: Sql, storeId: string, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from profile where store_id = ${storeId} and id > ${after}::uuid order by id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

async function moveOn(
  tx: Sql,
  storeId: string,
  { segmentId, generation }: OpenBuild,
  { after, profiles }: { after: string; profiles: number },
): Promise<boolean> {
  const { rows } = await sql`
    update segment_build set after_profile_id = ${after}::uuid, profiles = profiles + ${profiles}::int
    where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}
    returning 1`.execute(tx);
  return rows.length > 0;
}

interface Staging {
  build: { segmentId: string; generation: number };
  /** The generation that serves. */
  serving: number;
  /** Whom the generation that is being built has been evaluated for. */
  profileIds: readonly string[];
  /** How its members have moved. */
  moved: readonly Move[];
}

/**
 * Notes how members would change if the new generation served now: those who are in only one of the two. It replaces what
 * was noted for the same customers before.
 */
export async function stageChanges(tx: Sql, storeId: string, staging: Staging): Promise<void> {
  const { build, serving, profileIds, moved } = staging;
  const { segmentId, generation } = build;
  const ids = sql`${uuids(profileIds)}::uuid[]`;
  const { rows: before } = await sql<{ kind: Kind }>`
    delete from segment_change
    where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}
      and profile_id = any(${ids}) and changed_at is null
    returning kind`.execute(tx);
  const { rows } = await sql<{ profileId: string; generation: number }>`
    select profile_id as "profileId", generation from segment_member
    where store_id = ${storeId} and segment_id = ${segmentId} and generation in (${serving}, ${generation})
      and profile_id = any(${ids})`.execute(tx);
  const isIn = (wanted: number) =>
    new Set(rows.filter((row) => row.generation === wanted).map(({ profileId }) => profileId));
  const [old, now] = [isIn(serving), isIn(generation)];
  const changes = [
    ...[...now].filter((id) => !old.has(id)).map((profileId) => ({ profileId, kind: 'entered' as const })),
    ...[...old].filter((id) => !now.has(id)).map((profileId) => ({ profileId, kind: 'left' as const })),
  ];
  const cause = 'definition' as const;
  await insertChanges(
    tx,
    storeId,
    changes.map((change) => ({ ...change, segmentId, generation, id: newId(), cause, depth: 0, at: null })),
  );
  const difference = (kind: Kind) =>
    changes.filter((one) => one.kind === kind).length - before.filter((one) => one.kind === kind).length;
  const members = moved.reduce((sum, { kind }) => sum + (kind === 'entered' ? 1 : -1), 0);
  await sql`
    update segment_build
    set entered = entered + ${difference('entered')}::int, "left" = "left" + ${difference('left')}::int,
      members = members + ${members}::int
    where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}`.execute(tx);
}

/**
 * Has the new generation serve, with what was noted as its changes: a few rows, however many members there are. The old
 * one is deleted later. Segments that name this one are built again if anybody has entered or left, or if they have failed
 * with it; that comes first, while it is known up to when their members are right.
 */
async function finish(
  tx: Sql,
  storeId: string,
  segment: KeptSegment,
  build: OpenBuild,
  tools: TransactionTools,
): Promise<Partial<SegmentWork>> {
  const { segmentId, generation } = build;
  const now = tools.now();
  const at = sql`${new Date(now).toISOString()}::timestamptz`;
  await rebuildNaming(tx, storeId, build);
  const { rows } = await sql<Counts & { seconds: number }>`
    with built as (
      update segment_build set finished_at = ${at}
      where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}
      returning *
    )
    update segment s
    set generation = b.generation, served_definition = b.definition, members = b.members,
      first_partition = b.first_partition, stale_since = null, failure = null,
      list_ids = ${uuids([...build.uses.lists])}::uuid[], segment_ids = ${uuids([...build.uses.segments])}::uuid[]
    from built b
    where s.store_id = ${storeId} and s.id = ${segmentId}
    returning b.entered::float8 as entered, b."left"::float8 as "left",
      extract(epoch from ${at} - b.requested_at)::float8 as seconds`.execute(tx);
  const [counts] = rows;
  if (!counts) throw new GivenUp();
  await countDay(tx, storeId, [{ segmentId, ...counts }], now);
  if (segment.generation > 0) {
    await sql`
      insert into segment_leftover (store_id, segment_id, generation, kind)
      values (${storeId}, ${segmentId}, ${segment.generation}, 'members') on conflict do nothing`.execute(tx);
  }
  return { moves: { definition: counts.entered + counts.left }, buildSeconds: [counts.seconds] };
}

async function rebuildNaming(tx: Sql, storeId: string, { segmentId, generation }: OpenBuild): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select s.id
    from segment s
    join segment_build b on b.store_id = ${storeId} and b.segment_id = ${segmentId} and b.generation = ${generation}
    where s.store_id = ${storeId} and ${segmentId}::uuid = any(s.segment_ids)
      and (b.entered + b."left" > 0 or s.failure is not null)
    order by s.id
    for update of s`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await requestBuilds(tx, storeId, ids, { reason: 'segment_changed', isStale: true });
}
