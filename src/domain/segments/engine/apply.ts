import { sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { SegmentChangeRecord } from '../../../db/entities/segment-change.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { Verdicts } from '../evaluate.ts';
import type { Origin } from './origin.ts';
import { tellAutomations } from './tell-automations.ts';

export type Kind = SegmentChangeRecord['kind'];

export interface Move {
  profileId: string;
  kind: Kind;
}

interface Members {
  segmentId: string;
  generation: number;
}

/** Has the members of a generation be those of the verdicts, and returns who came and who went. */
export async function moveMembers(
  tx: Sql,
  storeId: string,
  { segmentId, generation }: Members,
  verdicts: Verdicts,
  now: number,
): Promise<Move[]> {
  const [inside, outside]: [string[], string[]] = [[], []];
  for (const [id, { isMember }] of verdicts) (isMember ? inside : outside).push(id);
  const moves: Move[] = [];
  if (outside.length > 0) {
    const { rows } = await sql<{ profileId: string }>`
      delete from segment_member m
      where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}
        and profile_id = any(${uuids(outside)}::uuid[])
      returning profile_id as "profileId"`.execute(tx);
    moves.push(...rows.map(({ profileId }): Move => ({ profileId, kind: 'left' })));
  }
  if (inside.length > 0) {
    const { rows } = await sql<{ profileId: string }>`
      insert into segment_member (store_id, segment_id, generation, profile_id, entered_at)
      select ${storeId}::uuid, ${segmentId}::uuid, ${generation}::int, id, ${new Date(now).toISOString()}::timestamptz
      from unnest(${uuids(inside)}::uuid[]) as w (id)
      on conflict do nothing
      returning profile_id as "profileId"`.execute(tx);
    moves.push(...rows.map(({ profileId }): Move => ({ profileId, kind: 'entered' })));
  }
  return moves;
}

/** The same for members that serve: each move is written down, counted, and told to the automations that ask for it. */
export async function moveServing(
  tx: Sql,
  storeId: string,
  members: Members,
  verdicts: Verdicts,
  { now, originOf }: { now: number; originOf: (profileId: string) => Origin },
): Promise<Move[]> {
  const moves = await moveMembers(tx, storeId, members, verdicts, now);
  if (moves.length === 0) return moves;
  const changes = moves.map((move): Change => ({ ...move, ...originOf(move.profileId), id: newId(), at: now }));
  await insertChanges(tx, storeId, members, changes);
  await tellAutomations(tx, storeId, members.segmentId, changes);
  await count(tx, storeId, members.segmentId, moves, now);
  return moves;
}

export interface Change extends Move, Origin {
  id: string;
  /** Milliseconds; null for what takes effect with its generation. */
  at: number | null;
}

export async function insertChanges(
  tx: Sql,
  storeId: string,
  { segmentId, generation }: Members,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const at = changes[0]?.at ?? null;
  await sql`
    insert into segment_change (store_id, id, segment_id, generation, profile_id, kind, cause, depth, changed_at)
    select ${storeId}::uuid, id, ${segmentId}::uuid, ${generation}::int, profile_id, kind, cause, depth, at
    from unnest(
      ${uuids(changes.map(({ id }) => id))}::uuid[],
      ${uuids(changes.map(({ profileId }) => profileId))}::uuid[],
      ${texts(changes.map(({ kind }) => kind))}::text[],
      ${texts(changes.map(({ cause }) => cause))}::text[],
      ${integers(changes.map(({ depth }) => depth))}::int[]) as r (id, profile_id, kind, cause, depth),
      (select ${at === null ? null : new Date(at).toISOString()}::timestamptz as at) as moment`.execute(tx);
}

export interface Counts {
  entered: number;
  left: number;
}

export function countOf(moves: readonly Move[]): Counts {
  const entered = moves.filter(({ kind }) => kind === 'entered').length;
  return { entered, left: moves.length - entered };
}

async function count(tx: Sql, storeId: string, segmentId: string, moves: readonly Move[], now: number): Promise<void> {
  const counts = countOf(moves);
  await sql`
    update segment set members = members + ${counts.entered - counts.left}::int
    where store_id = ${storeId} and id = ${segmentId}`.execute(tx);
  await countDay(tx, storeId, segmentId, counts, now);
}

/** Adds to what the day shows. */
export async function countDay(
  tx: Sql,
  storeId: string,
  segmentId: string,
  { entered, left }: Counts,
  now: number,
): Promise<void> {
  if (entered === 0 && left === 0) return;
  await sql`
    insert into segment_day (store_id, segment_id, day, entered, "left")
    values (${storeId}, ${segmentId}, ${new Date(now).toISOString().slice(0, 10)}::date, ${entered}, ${left})
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
