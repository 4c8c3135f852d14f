import { type EntityManager, raw } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import { ImportErrorEntity } from '../../../db/entities/import-error.ts';
import { ImportJobEntity, type ImportJobRecord } from '../../../db/entities/import-job.ts';
import type { Sql } from '../../../db/orm.ts';
import type { StoreData } from '../../../db/store-data.ts';
import type { Row } from '../../../db/tables.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { isId, newId } from '../../../ids/uuid-v7.ts';
import type { Caller } from '../../caller.ts';
import { type ErrorCode, invalid, type Violation } from '../../service-error.ts';
import { type ImportItem, type PackedItems, packItems } from './packed-items.ts';

export type ImportJob = Pick<
  ImportJobRecord,
  'id' | 'kind' | 'status' | 'total' | 'completed' | 'failed' | 'createdAt' | 'startedAt' | 'completedAt' | 'expiresAt'
>;

export type ImportKind = ImportJob['kind'];

/** Why an item could not be stored. */
export interface ImportError {
  /** Its index in the request, across all groups. */
  id: string;
  code: ErrorCode;
  /** The item's path, followed by the domain's name for the invalid part. */
  path: Violation['path'];
  problem: string;
}

/** Told of a store that has a new job or import, once it is committed: it begins at once where jobs are worked at. */
export type OnJob = (storeId: string) => void;

/** Items recorded in one transaction: large enough to be fast, small enough to be short. */
const ITEMS_PER_CHUNK = 500;
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/** Expired jobs that one statement finds, and that one deletes, as each may have as many errors as it had items. */
const EXPIRED_FOUND = 1_000;
const EXPIRED_DELETED = 10;

/** Stores a job and its items: all of it is committed when this returns. The profiles join the lists that are named. */
export async function createImportJob(
  db: Sql,
  { storeId }: Caller,
  kind: ImportKind,
  items: readonly ImportItem[],
  listNames: readonly string[] = [],
): Promise<ImportJob> {
  const createdAt = new Date();
  const isEmpty = items.length === 0;
  const job: ImportJob = {
    id: newId(),
    kind,
    status: isEmpty ? 'complete' : 'queued',
    total: items.length,
    completed: 0,
    failed: 0,
    createdAt,
    startedAt: isEmpty ? createdAt : null,
    completedAt: isEmpty ? createdAt : null,
    expiresAt: new Date(createdAt.getTime() + LIFETIME_MS),
  };
  await sql`
    with job as (
      insert into import_job
        (store_id, id, kind, status, total, created_at, started_at, completed_at, expires_at, touched_at,
          list_ids)
      values (${storeId}, ${job.id}, ${kind}, ${job.status}, ${job.total}, ${createdAt}, ${job.startedAt},
        ${job.completedAt}, ${job.expiresAt}, now(), ${listNames.length > 0 ? texts(listNames) : null}::text[])
    ), chunk as (
      insert into import_chunk (store_id, job_id, position, items)
      select ${storeId}, ${job.id}, position, items
      from json_to_recordset(${JSON.stringify(chunksOf(items))}::json) as r (position int, items json)
    )
    select`.execute(db);
  return job;
}

function chunksOf(items: readonly ImportItem[]): { position: number; items: PackedItems }[] {
  const chunks = [];
  for (let position = 0; position < items.length; position += ITEMS_PER_CHUNK) {
    chunks.push({ position, items: packItems(items.slice(position, position + ITEMS_PER_CHUNK)) });
  }
  return chunks;
}

/** Returns a job of the caller's store; undefined if there is none of that type or it has expired. */
export async function findImportJob(
  em: EntityManager,
  { storeId }: Caller,
  kind: ImportKind,
  id: string,
): Promise<ImportJob | undefined> {
  if (!isId(id)) return undefined;
  const unexpired = { expiresAt: { $gt: raw('now()') } };
  return (await em.fork().findOne(ImportJobEntity, { storeId, id, kind, ...unexpired })) ?? undefined;
}

/** Returns errors of a job of the caller's store, in item order. `after` is the `next` of the previous page. */
export async function listImportErrors(
  em: EntityManager,
  { storeId }: Caller,
  jobId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ errors: ImportError[]; next: string | undefined }> {
  const records = await em
    .fork()
    .find(
      ImportErrorEntity,
      { storeId, jobId, position: { $gt: toPosition(after) } },
      { fields: ['position', 'code', 'path', 'problem'], orderBy: { position: 'asc' }, limit: limit + 1 },
    );
  const errors = records.slice(0, limit).map(({ position, code, path, problem }) => {
    return { id: String(position), code: code as ErrorCode, path: path.parse<ImportError['path']>(), problem };
  });
  return { errors, next: records.length > limit ? errors.at(-1)?.id : undefined };
}

function toPosition(cursor: string | undefined): number {
  if (cursor === undefined) return -1;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw invalid({ path: ['page[cursor]'], problem: 'is not a cursor of this list' });
}

/** The remaining work of all incomplete jobs. */
export interface ImportBacklog {
  jobs: number;
  items: number;
  /** Seconds since the oldest of them was created; 0 if there is none. */
  oldestSeconds: number;
}

export async function measureBacklog(stores: Pick<StoreData, 'each'>): Promise<ImportBacklog> {
  const backlog = { jobs: 0, items: 0, oldestSeconds: 0 };
  await stores.each(async (db) => {
    const { rows } = await sql<ImportBacklog>`
      select count(*)::int as jobs, coalesce(sum(total - completed - failed), 0)::float8 as items,
        coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
      from import_job where status <> 'complete'`.execute(db);
    const [{ jobs, items, oldestSeconds }] = rows as [ImportBacklog];
    backlog.jobs += jobs;
    backlog.items += items;
    backlog.oldestSeconds = Math.max(backlog.oldestSeconds, oldestSeconds);
  }, `import_job where status <> 'complete'`);
  return backlog;
}

/** An import of customers that has not ended still needs its entry, however long nobody has worked at it. */
const IS_EXPIRED = sql`expires_at <= now() and (kind <> 'customers' or status = 'complete')`;

/** Deletes expired jobs and their rows, of which each job may have thousands, in small steps. */
async function deleteExpiredJobs(db: Sql): Promise<void> {
  for (;;) {
    const { rows } = await sql<Pick<Row<'import_job'>, 'store_id' | 'id'>>`
      select store_id, id from import_job where ${IS_EXPIRED} limit ${EXPIRED_FOUND}`.execute(db);
    if (rows.length === 0) return;
    for (const [storeId, own] of Map.groupBy(rows, (row) => row.store_id)) {
      for (let n = 0; n < own.length; n += EXPIRED_DELETED) {
        const ids = own.slice(n, n + EXPIRED_DELETED).map(({ id }) => id);
        await sql`
          delete from import_job where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and ${IS_EXPIRED}`.execute(
          db,
        );
      }
    }
  }
}

export const DELETE_EXPIRED_JOBS: DataTask = {
  failure: 'deletion of expired jobs failed',
  everyMs: 60 * 60 * 1000,
  alsoAt: 'start',
  run: deleteExpiredJobs,
};
