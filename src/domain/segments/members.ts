import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import {
  idCursor,
  nameCursor,
  type Page,
  type PageRequest,
  readBefore,
  readNameCursor,
  toPage,
} from '../reading/cursor.ts';

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
  const before = readBefore(page.cursor);
  // In one statement: the members of a generation are deleted soon after another one serves.
  const { rows } = await sql<Member & { candidates?: number }>`
    select profile_id as "profileId", (extract(epoch from entered_at) * 1000)::float8 as "enteredAt"
    from segment_member
    where store_id = ${storeId} and segment_id = ${id} and profile_id < ${before}
      and generation = (select generation from segment where store_id = ${storeId} and id = ${id} limit 1)
    order by profile_id desc
    limit ${page.limit + 1}`.execute(db);
  if (rows.length === 0 && !(await segmentExists(db, storeId, id))) return undefined;
  const { items, next } = toPage(
    rows,
    page.limit,
    ({ profileId, enteredAt }): Member => ({ profileId, enteredAt }),
    ({ profileId }) => idCursor({ id: profileId }),
  );
  return { items, next };
}

export async function segmentExists(db: Sql, storeId: string, id: string): Promise<boolean> {
  const { rows } = await sql`select from segment where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows.length > 0;
}

export interface SegmentOfProfile {
  id: string;
  name: string;
  /** Milliseconds. */
  enteredAt: number;
}

/** Returns segments that a customer is in, by name; undefined if the store has no such customer. */
export async function segmentsOfProfile(
  db: Sql,
  storeId: string,
  profileId: string,
  page: PageRequest,
): Promise<Page<SegmentOfProfile> | undefined> {
  const after = page.cursor === undefined ? { name: '', id: LOWEST_ID } : readNameCursor(page.cursor);
  const { rows: profiles } = await sql`
    select from profile where store_id = ${storeId} and id = ${profileId}`.execute(db);
  if (profiles.length === 0) return undefined;
  const { rows } = await sql<SegmentOfProfile & { candidates?: never }>`
    select s.id, s.name, (extract(epoch from m.entered_at) * 1000)::float8 as "enteredAt"
    from segment_member m
    join segment s on s.store_id = ${storeId} and s.id = m.segment_id and s.generation = m.generation
    where m.store_id = ${storeId} and m.profile_id = ${profileId} and (s.name, s.id) > (${after.name}, ${after.id})
    order by s.name, s.id
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, ({ candidates: _, ...segment }): SegmentOfProfile => segment, nameCursor);
}
