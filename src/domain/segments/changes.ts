import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { HIGHEST_ID, isId } from '../../ids/uuid-v7.ts';
import { decode, encode, type Page, type PageRequest, toPage } from '../reading/cursor.ts';
import type { SegmentChange } from '../reading/segment-changes.ts';
import { invalid } from '../service-error.ts';
import { segmentExists } from './members.ts';

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
