import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { Caller } from '../../caller.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../../reading/cursor.ts';
import type { ImportJob, ImportKind } from './jobs.ts';

export const JOB_STATUSES = ['queued', 'processing', 'complete'] as const satisfies readonly ImportJob['status'][];

export interface JobSearch {
  kind: ImportKind;
  statuses: readonly ImportJob['status'][];
  latestFirst: boolean;
}

/** As a raw query returns it: times are milliseconds of Unix time. */
type JobRow = Pick<ImportJob, 'id' | 'kind' | 'status' | 'total' | 'completed' | 'failed'> & {
  created: number;
  started: number | null;
  ended: number | null;
  expires: number;
  candidates?: never;
};

/** Returns the jobs of the caller's store that have not expired, by id, which is by the time of their creation. */
export async function listImportJobs(
  db: Sql,
  { storeId }: Caller,
  { kind, statuses, latestFirst }: JobSearch,
  page: PageRequest,
): Promise<Page<ImportJob>> {
  const from = page.cursor === undefined ? undefined : readIdCursor(page.cursor);
  const onwards = latestFirst ? sql`id < ${from ?? HIGHEST_ID}` : sql`id > ${from ?? LOWEST_ID}`;
  const direction = latestFirst ? sql`desc` : sql`asc`;
  const milliseconds = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;
  // One look-up in the index for each status.
  const { rows } = await sql<JobRow>`
    select j.id, j.kind, j.status, j.total, j.completed, j.failed, ${milliseconds('j.created_at')} as created,
      ${milliseconds('j.started_at')} as started, ${milliseconds('j.completed_at')} as ended,
      ${milliseconds('j.expires_at')} as expires
    from unnest(${texts([...new Set(statuses)])}::text[]) as wanted (status)
    cross join lateral (
      select * from import_job
      where store_id = ${storeId} and kind = ${kind} and status = wanted.status and ${onwards} and expires_at > now()
      order by id ${direction}
      limit ${page.limit + 1}
    ) j
    order by j.id ${direction}
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, jobFromRow, idCursor);
}

function jobFromRow({
  created,
  started,
  ended,
  expires,
  id,
  kind,
  status,
  total,
  completed,
  failed,
}: JobRow): ImportJob {
  const optional = (time: number | null) => (time === null ? null : new Date(time));
  return {
    id,
    kind,
    status,
    total,
    completed,
    failed,
    createdAt: new Date(created),
    startedAt: optional(started),
    completedAt: optional(ended),
    expiresAt: new Date(expires),
  };
}
