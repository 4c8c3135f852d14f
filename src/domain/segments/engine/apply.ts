import { sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { SegmentChangeRecord } from '../../../db/entities/segment-change.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { enter } from '../../feed/entries.ts';
import type { Verdicts } from '../evaluate.ts';
import { type GenerationRef, keyOf } from './generations.ts';
import type { Origin } from './origin.ts';

export type Kind = SegmentChangeRecord['kind'];

export interface Move {
  profileId: string;
  kind: Kind;
}

/** Who of some customers is in which generation of which segment; by `keyOf` of it, none where nobody is. */
export type CurrentMembers = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the same of many generations at once: to ask for each of them would take longer than to evaluate them. */
export async function readMembers(
  tx: Sql,
  storeId: string,
  generations: readonly GenerationRef[],
  profileIds: readonly string[],
): Promise<CurrentMembers> {
  const { rows } = await sql<GenerationRef & { ids: string[] }>`
    select m.segment_id as "segmentId", m.generation, array_agg(m.profile_id::text) as ids
    from unnest(${uuids(profileIds)}::uuid[]) as w (id)
    cross join lateral (
      select segment_id, generation, profile_id from segment_member where store_id = ${storeId} and profile_id = w.id
      offset 0
    ) m
    where (m.segment_id, m.generation) in (
      select * from unnest(
        ${uuids(generations.map(({ segmentId }) => segmentId))}::uuid[],
        ${integers(generations.map(({ generation }) => generation))}::int[])
    )
    group by m.segment_id, m.generation`.execute(tx);
  return new Map(rows.map((row) => [keyOf(row), new Set(row.ids)]));
}

/** Has the members of a generation be those of the verdicts, and returns who came and who went. */
export async function moveMembers(
  tx: Sql,
  storeId: string,
  members: GenerationRef,
  verdicts: Verdicts,
  { now, current }: { now: number; current?: CurrentMembers },
): Promise<Move[]> {
  const [moves] = await moveAll(tx, storeId, [{ ...members, verdicts }], { now, current });
  return moves ?? [];
}

interface Judged extends GenerationRef {
  verdicts: Verdicts;
}

/** The same for many generations; returns the moves of each. `current`: who is known to be a member, if that was read. */
async function moveAll(
  tx: Sql,
  storeId: string,
  judged: readonly Judged[],
  { now, current }: { now: number; current: CurrentMembers | undefined },
): Promise<Move[][]> {
  const differing = judged.map(({ verdicts, ...members }) => ({
    ...members,
    ...differences(verdicts, current && (current.get(keyOf(members)) ?? new Set())),
  }));
  const entered = await enterAll(tx, storeId, differing, now);
  const moves: Move[][] = [];
  for (const one of differing) {
    const left = await leave(tx, storeId, one);
    const came = entered.get(keyOf(one)) ?? [];
    moves.push([
      ...left.map((profileId): Move => ({ profileId, kind: 'left' })),
      ...came.map((profileId): Move => ({ profileId, kind: 'entered' })),
    ]);
  }
  return moves;
}

interface Entering extends GenerationRef {
  inside: readonly string[];
}

interface Differing extends Entering {
  outside: readonly string[];
}

/** Who is to be a member or not to be one, and is not known to be so. */
function differences(
  verdicts: Verdicts,
  members: ReadonlySet<string> | undefined,
): Pick<Differing, 'inside' | 'outside'> {
  const [inside, outside]: [string[], string[]] = [[], []];
  for (const [id, { isMember }] of verdicts) {
    if (members?.has(id) !== isMember) (isMember ? inside : outside).push(id);
  }
  return { inside, outside };
}

/**
 * Enters customers into generations, and returns by `keyOf` those who were not in there. Who is in the generation that serves
 * has been in the segment since then also in one that is built.
 */
export async function enterAll(
  tx: Sql,
  storeId: string,
  all: readonly Entering[],
  now: number,
): Promise<Map<string, string[]>> {
  const entering = all.flatMap(({ inside, ...members }) => inside.map((profileId) => ({ ...members, profileId })));
  const entered = new Map<string, string[]>();
  if (entering.length === 0) return entered;
  const { rows } = await sql<GenerationRef & { profileId: string }>`
    insert into segment_member (store_id, segment_id, generation, profile_id, entered_at)
    select ${storeId}::uuid, segment_id, generation, profile_id,
      coalesce(
        (
          select m.entered_at
          from (select generation from segment where store_id = ${storeId} and id = w.segment_id limit 1) s
          cross join lateral (
            select entered_at from segment_member
            where store_id = ${storeId} and segment_id = w.segment_id and generation = s.generation
              and profile_id = w.profile_id limit 1
          ) m
          where s.generation <> w.generation),
        ${new Date(now).toISOString()}::timestamptz)
    from unnest(
      ${uuids(entering.map(({ segmentId }) => segmentId))}::uuid[],
      ${integers(entering.map(({ generation }) => generation))}::int[],
      ${uuids(entering.map(({ profileId }) => profileId))}::uuid[]) as w (segment_id, generation, profile_id)
    on conflict do nothing
    returning segment_id as "segmentId", generation, profile_id as "profileId"`.execute(tx);
  for (const { profileId, ...members } of rows) {
    const ofOne = entered.get(keyOf(members));
    if (ofOne) ofOne.push(profileId);
    else entered.set(keyOf(members), [profileId]);
  }
  return entered;
}

async function leave(tx: Sql, storeId: string, { segmentId, generation, outside }: Differing): Promise<string[]> {
  if (outside.length === 0) return [];
  const { rows } = await sql<{ profileId: string }>`
    delete from segment_member m
    where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}
      and profile_id = any(${uuids(outside)}::uuid[])
    returning profile_id as "profileId"`.execute(tx);
  return rows.map(({ profileId }) => profileId);
}

/** The members of a segment that serve, and by what their changes have come about. */
export interface Serving extends Judged {
  originOf: (profileId: string) => Origin;
}

/**
 * The same for members that serve: each move is written down, counted, and entered into the feed. Returns the moves by
 * segment.
 */
export async function moveServing(
  tx: Sql,
  storeId: string,
  serving: readonly Serving[],
  { now, current }: { now: number; current: CurrentMembers },
): Promise<Map<string, Move[]>> {
  const all = await moveAll(tx, storeId, serving, { now, current });
  const moved = serving.flatMap((one, i) => (all[i]?.length ? [{ ...one, moves: all[i] }] : []));
  const changes = moved.flatMap(({ moves, originOf, segmentId, generation }) =>
    moves.map(
      (move): Change => ({ ...move, ...originOf(move.profileId), segmentId, generation, id: newId(), at: now }),
    ),
  );
  if (changes.length > 0) {
    await insertChanges(tx, storeId, changes);
    await enter(storeId, 'segment_change', changes).execute(tx);
    const counts = moved.map(({ segmentId, moves }) => ({ segmentId, ...countOf(moves) }));
    await count(tx, storeId, counts);
    await countDay(tx, storeId, counts, now);
  }
  return new Map(moved.map(({ segmentId, moves }) => [segmentId, moves]));
}

export interface Change extends Move, Origin, GenerationRef {
  id: string;
  /** Milliseconds; null for what takes effect with its generation. */
  at: number | null;
}

export async function insertChanges(tx: Sql, storeId: string, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  // All have the same time.
  const at = changes[0]?.at ?? null;
  await sql`
    insert into segment_change (store_id, id, segment_id, generation, profile_id, kind, cause, depth, chain, changed_at)
    select ${storeId}::uuid, id, segment_id, generation, profile_id, kind, cause, depth, chain::uuid,
      ${at === null ? null : new Date(at).toISOString()}::timestamptz
    from unnest(
      ${uuids(changes.map(({ id }) => id))}::uuid[],
      ${uuids(changes.map(({ segmentId }) => segmentId))}::uuid[],
      ${integers(changes.map(({ generation }) => generation))}::int[],
      ${uuids(changes.map(({ profileId }) => profileId))}::uuid[],
      ${texts(changes.map(({ kind }) => kind))}::text[],
      ${texts(changes.map(({ cause }) => cause))}::text[],
      ${integers(changes.map(({ depth }) => depth))}::int[],
      ${texts(changes.map(({ chain = null }) => chain))}::text[])
      as r (id, segment_id, generation, profile_id, kind, cause, depth, chain)`.execute(tx);
}

export interface Counts {
  entered: number;
  left: number;
}

export function countOf(moves: readonly Move[]): Counts {
  const entered = moves.filter(({ kind }) => kind === 'entered').length;
  return { entered, left: moves.length - entered };
}

interface SegmentCounts extends Counts {
  segmentId: string;
}

async function count(tx: Sql, storeId: string, counts: readonly SegmentCounts[]): Promise<void> {
  await sql`
    update segment set members = members + added
    from unnest(
      ${uuids(counts.map(({ segmentId }) => segmentId))}::uuid[],
      ${integers(counts.map(({ entered, left }) => entered - left))}::int[]) as w (segment_id, added)
    where store_id = ${storeId} and id = w.segment_id`.execute(tx);
}

/** Adds to what the day shows. */
export async function countDay(tx: Sql, storeId: string, counts: readonly SegmentCounts[], now: number): Promise<void> {
  const some = counts.filter(({ entered, left }) => entered > 0 || left > 0);
  if (some.length === 0) return;
  await sql`
    insert into segment_day (store_id, segment_id, day, entered, "left")
    select ${storeId}::uuid, segment_id, ${new Date(now).toISOString().slice(0, 10)}::date, entered, "left"
    from unnest(
      ${uuids(some.map(({ segmentId }) => segmentId))}::uuid[],
      ${integers(some.map(({ entered }) => entered))}::int[],
      ${integers(some.map(({ left }) => left))}::int[]) as w (segment_id, entered, "left")
    on conflict (store_id, segment_id, day) do update
    set entered = segment_day.entered + excluded.entered, "left" = segment_day."left" + excluded."left"`.execute(tx);
}

/** When customers have to be looked at again: by their ids, the earliest time of all segments; null for never. */
export type Appointments = Map<string, number | null>;

/** Notes when to look again at those of whom some segments were evaluated: others may have an earlier time. */
export async function noteDue(tx: Sql, storeId: string, appointments: Appointments): Promise<void> {
  const due = [...appointments].flatMap(([id, at]) => (at === null ? [] : [{ id, at }]));
  if (due.length === 0) return;
  await sql`
    insert into segment_due (store_id, profile_id, due_at)
    select ${storeId}::uuid, * from unnest(
      ${uuids(due.map(({ id }) => id))}::uuid[],
      ${timestamps(due.map(({ at }) => new Date(Math.min(at, LAST))))}::timestamptz[])
    on conflict (store_id, profile_id) do update set due_at = excluded.due_at
    where segment_due.due_at > excluded.due_at`.execute(tx);
}

const LAST = Date.UTC(9999, 0);

export function addAppointments(appointments: Appointments, verdicts: Verdicts): void {
  for (const [id, { next }] of verdicts) {
    const before = appointments.get(id) ?? null;
    appointments.set(id, before === null || next === null ? (before ?? next) : Math.min(before, next));
  }
}
