import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import {
  type Candidate,
  candidates,
  idCursor,
  type Page,
  type PageRequest,
  readBefore,
  toPage,
} from '../reading/cursor.ts';
import { computedThrough } from './computed-through.ts';
import type { BuildReason } from './request-build.ts';

/** A build that is not complete. Times are milliseconds. */
export interface BuildProgress {
  reason: BuildReason;
  /** Customers that are done, and how many there were when it began; null before. */
  profiles: number;
  total: number | null;
  requestedAt: number;
  startedAt: number | null;
}

/** Times are milliseconds. */
export interface SegmentSummary {
  id: string;
  name: string;
  revision: number;
  state: 'building' | 'live' | 'failed';
  failure: string | null;
  /** Null before the first build is complete: nothing is known then. */
  members: number | null;
  /**
   * All that was committed before is in the members, as they are at that time; null before the first build, and where
   * nobody knows, as in a copy that has just been restored.
   */
  computedThrough: number | null;
  build: BuildProgress | null;
  /** Customers for whom it can't be evaluated in time: how many, and the ids of some. */
  setAside: { profiles: number; profileIds: readonly string[] };
  createdAt: number;
  updatedAt: number;
  /** When it was read. */
  now: number;
}

export type SegmentWithDefinition = SegmentSummary & { definition: RawJson };

interface Row extends Omit<SegmentWithDefinition, 'state' | 'build' | 'definition' | 'setAside'> {
  definition: RawJson;
  reason: BuildReason | null;
  profiles: number;
  total: number | null;
  requestedAt: number;
  startedAt: number | null;
  setAside: number;
  setAsideIds: string[];
}

/** Customers set aside whose ids are shown. */
const MAX_SHOWN = 10;

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

const columns = (storeId: string) => sql`
  s.id, s.name, s.revision, s.failure, s.definition,
  case when s.generation > 0 then s.members::float8 end as members,
  case when s.generation > 0 then
    (extract(epoch from nullif(${computedThrough(storeId)}, '-infinity')) * 1000)::float8
  end as "computedThrough",
  (select count(*) from segment_set_aside a where a.store_id = ${storeId} and a.segment_id = s.id)::int as "setAside",
  array(
    select profile_id::text from segment_set_aside a
    where a.store_id = ${storeId} and a.segment_id = s.id order by profile_id limit ${MAX_SHOWN}
  ) as "setAsideIds",
  (extract(epoch from now()) * 1000)::float8 as now,
  ${ms('s.created_at')} as "createdAt", ${ms('s.updated_at')} as "updatedAt",
  b.reason, b.profiles::float8 as profiles, b.total::float8 as total, ${ms('b.requested_at')} as "requestedAt",
  ${ms('b.started_at')} as "startedAt"`;

const withBuild = (storeId: string) => sql`
  left join segment_build b on b.store_id = ${storeId} and b.segment_id = s.id and b.finished_at is null`;

/** Undefined if the store has no such segment. */
export async function findSegment(db: Sql, storeId: string, id: string): Promise<SegmentWithDefinition | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await sql<Row>`
    select ${columns(storeId)} from segment s ${withBuild(storeId)} where s.store_id = ${storeId} and s.id = ${id}`.execute(
    db,
  );
  return rows[0] && fromRow(rows[0]);
}

/** Returns segments of the store, newest first. */
export async function listSegments(db: Sql, storeId: string, page: PageRequest): Promise<Page<SegmentWithDefinition>> {
  const before = readBefore(page.cursor);
  const inOrder = sql`
    select * from segment where store_id = ${storeId} and id < ${before} order by id desc`;
  const { rows } = await sql<Candidate<Row>>`
    select ${columns(storeId)}, s.candidates
    from ${candidates(inOrder, page.limit, sql`octet_length(definition::text)`)} s
    ${withBuild(storeId)}
    order by s.id desc`.execute(db);
  const { items, next } = toPage(rows, page.limit, fromRow, idCursor);
  return { items, next };
}

function fromRow(of: Row): SegmentWithDefinition {
  const { reason, profiles, total, requestedAt, startedAt, setAside, setAsideIds, ...row } = of;
  const build = reason === null ? null : { reason, profiles, total, requestedAt, startedAt };
  return {
    ...row,
    build,
    setAside: { profiles: setAside, profileIds: setAsideIds },
    state: build ? 'building' : row.failure === null ? 'live' : 'failed',
  };
}
