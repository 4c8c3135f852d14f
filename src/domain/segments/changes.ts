import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { HIGHEST_ID, isId } from '../../ids/uuid-v7.ts';
import { decode, encode, type Page, type PageRequest, toPage } from '../reading/cursor.ts';
import { invalid } from '../service-error.ts';
import type { Kind } from './engine/apply.ts';
import type { Cause } from './engine/origin.ts';
import { segmentExists } from './members.ts';

export interface SegmentChange {
  id: string;
  profileId: string;
  kind: Kind;
  cause: Cause;
  /** Milliseconds. */
  at: number;
}

/** A change of the members that serve, which the feed tells of. */
export interface ServingChange extends SegmentChange {
  segmentId: string;
}

/** Returns changes by id, of many segments. Those of a segment that was deleted meanwhile may be gone. */
export async function findChanges(
  db: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, ServingChange>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ServingChange>`
    select c.id, c.segment_id as "segmentId", c.profile_id as "profileId", c.kind, c.cause,
      (extract(epoch from c.changed_at) * 1000)::float8 as at
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (select * from segment_change where store_id = ${storeId} and id = w.id limit 1) c`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns who entered and left, the latest first; undefined if the store has no such segment. */
export async function listChanges(
  db: Sql,
  storeId: string,
  id: string,
  page: PageRequest,
): Promise<Page<SegmentChange> | undefined> {
  const before = page.cursor === undefined ? { generation: LAST, id: HIGHEST_ID } : readChangeCursor(page.cursor);
  if (!(await segmentExists(db, storeId, id))) return undefined;
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
