import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { HIGHEST_ID, isId } from '../../ids/uuid-v7.ts';
import { decode, encode, idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../reading/cursor.ts';
import { invalid } from '../service-error.ts';
import type { Cause, Kind } from './engine/apply.ts';

export interface Member {
  profileId: string;
  /** Milliseconds. */
  enteredAt: number;
}

/** Returns members, the newest customers first; undefined if the store has no such segment. */
export async function listMembers(
  db: Sql,
  storeId: string,
  id: string,
  page: PageRequest,
): Promise<Page<Member> | undefined> {
  const before = page.cursor === undefined ? HIGHEST_ID : readIdCursor(page.cursor);
  const generation = await servingGeneration(db, storeId, id);
  if (generation === undefined) return undefined;
  const { rows } = await sql<Member & { candidates?: number }>`
    select profile_id as "profileId", (extract(epoch from entered_at) * 1000)::float8 as "enteredAt"
    from segment_member
    where store_id = ${storeId} and segment_id = ${id} and generation = ${generation} and profile_id < ${before}
    order by profile_id desc
    limit ${page.limit + 1}`.execute(db);
  const { items, next } = toPage(
    rows,
    page.limit,
    ({ profileId, enteredAt }): Member => ({ profileId, enteredAt }),
    ({ profileId }) => idCursor({ id: profileId }),
  );
  return { items, next };
}

async function servingGeneration(db: Sql, storeId: string, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ generation: number }>`
    select generation from segment where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows[0]?.generation;
}

export interface SegmentChange {
  id: string;
  profileId: string;
  kind: Kind;
  cause: Cause;
  /** Milliseconds. */
  at: number;
}

/** Returns who entered and left, the latest first; undefined if the store has no such segment. */
export async function listChanges(
  db: Sql,
  storeId: string,
  id: string,
  page: PageRequest,
): Promise<Page<SegmentChange> | undefined> {
  const before = page.cursor === undefined ? { generation: LAST, id: HIGHEST_ID } : readChangeCursor(page.cursor);
  if ((await servingGeneration(db, storeId, id)) === undefined) return undefined;
  // A change that comes with its generation has the time at which that began to serve, and is not there before.
  const { rows } = await sql<SegmentChange & { generation: number; candidates?: number }>`
    select c.id, c.generation, c.profile_id as "profileId", c.kind, c.cause,
      (extract(epoch from coalesce(c.changed_at, b.finished_at)) * 1000)::float8 as at
    from segment s
    join segment_change c on c.store_id = ${storeId} and c.segment_id = s.id and c.generation <= s.generation
    join segment_build b on b.store_id = ${storeId} and b.segment_id = s.id and b.generation = c.generation
      and b.finished_at is not null
    where s.store_id = ${storeId} and s.id = ${id}
      and (c.generation, c.id) < (${before.generation}::int, ${before.id}::uuid)
    order by c.generation desc, c.id desc
    limit ${page.limit + 1}`.execute(db);
  const { items, next } = toPage(
    rows,
    page.limit,
    ({ id: changeId, profileId, kind, cause, at }): SegmentChange => ({ id: changeId, profileId, kind, cause, at }),
    (row) => encode(`${row.generation} ${row.id}`),
  );
  return { items, next };
}

const LAST = 2 ** 31 - 1;

function readChangeCursor(cursor: string): { generation: number; id: string } {
  const [, generation, id] = /^(\d{1,9}) (.*)$/.exec(decode(cursor) ?? '') ?? [];
  if (generation === undefined || id === undefined || !isId(id)) {
    throw invalid({ path: ['cursor'], problem: 'is not a cursor of this list' });
  }
  return { generation: Number(generation), id };
}

export interface SegmentOfProfile {
  id: string;
  name: string;
  /** Milliseconds. */
  enteredAt: number;
}

/** Returns the segments that a customer is in, by name; undefined if the store has no such customer. */
export async function segmentsOfProfile(
  db: Sql,
  storeId: string,
  profileId: string,
): Promise<SegmentOfProfile[] | undefined> {
  const { rows: profiles } = await sql`
    select from profile where store_id = ${storeId} and id = ${profileId}`.execute(db);
  if (profiles.length === 0) return undefined;
  const { rows } = await sql<SegmentOfProfile>`
    select s.id, s.name, (extract(epoch from m.entered_at) * 1000)::float8 as "enteredAt"
    from segment_member m
    join segment s on s.store_id = ${storeId} and s.id = m.segment_id and s.generation = m.generation
    where m.store_id = ${storeId} and m.profile_id = ${profileId}
    order by s.name, s.id`.execute(db);
  return rows;
}

export interface DayOfSegment {
  /** `2026-11-25`, of UTC. */
  day: string;
  /** At the end of the day, or now. */
  members: number;
  entered: number;
  left: number;
}

/**
 * Returns how many members there were on each of the last days, the latest last; undefined if the store has no such
 * segment.
 */
export async function statsOf(db: Sql, storeId: string, id: string, days: number): Promise<DayOfSegment[] | undefined> {
  const { rows } = await sql<{ members: number; day: string | null; entered: number; left: number }>`
    select s.members::float8 as members, d.day::text as day, d.entered::float8 as entered, d."left"::float8 as "left"
    from segment s
    left join segment_day d on d.store_id = ${storeId} and d.segment_id = s.id
      and d.day > (now() at time zone 'UTC')::date - ${days}::int
    where s.store_id = ${storeId} and s.id = ${id}`.execute(db);
  const [first] = rows;
  if (!first) return undefined;
  const byDay = new Map(rows.map((row) => [row.day, row]));
  let { members } = first;
  const stats: DayOfSegment[] = [];
  const today = Temporal.Now.plainDateISO('UTC');
  for (let back = 0; back < days; back += 1) {
    const day = today.subtract({ days: back }).toString();
    const { entered, left } = byDay.get(day) ?? { entered: 0, left: 0 };
    stats.unshift({ day, members: Math.max(0, members), entered, left });
    members -= entered - left;
  }
  return stats;
}
