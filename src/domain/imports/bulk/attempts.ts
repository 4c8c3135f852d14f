import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { ImportJobRecord } from '../../../db/entities/import-job.ts';
import type { Database, Sql } from '../../../db/orm.ts';
import type { PeriodicTask } from '../../../engine/periodic.ts';
import { enqueue } from './jobs.ts';

/**
 * Attempts without progress after which the first item of a job is given up; and after which all its remaining items
 * are.
 */
export const MAX_ATTEMPTS_AT_ITEM = 10;
export const MAX_ATTEMPTS_AT_JOB = 20;
/** Maximum seconds until the next attempt. */
const MAX_PAUSE_SECONDS = 600;
/** If a store's jobs make no progress for this long, it has lost its worker or its place in the queue. */
const ABANDONED = sql`interval '2 seconds'`;
/** Maximum stores that one check queues again. */
const MAX_RESCUED = 100;

/** Where jobs are, and where the stores that have some take turns. */
type DataAndQueue = Pick<Database, 'sql' | 'stores'>;

/** An attempt at the next chunk of a job. */
export interface Attempt {
  storeId: string;
  jobId: string;
  kind: ImportJobRecord['kind'];
  /** Counted from 1 since the job last made progress. */
  number: number;
}

/** A pause of 2ⁿ seconds, at most `MAX_PAUSE_SECONDS`. */
const pauseAfter = (n: unknown) =>
  sql`least(${MAX_PAUSE_SECONDS}::int, power(2, least(${n}, 20))) * interval '1 second'`;

/**
 * Begins an attempt at the store's oldest job that is due and that no worker holds; undefined if there is none. The
 * attempt is recorded beforehand, because the worker may not live to report its failure.
 */
export async function beginAttempt(db: Sql, storeId: string): Promise<Attempt | undefined> {
  const { rows } = await sql<Omit<Attempt, 'storeId'>>`
    update import_job set
      attempts = attempts + 1, touched_at = now(), retry_at = now() + ${pauseAfter(sql`attempts + 1`)}
    where store_id = ${storeId} and id = (
      select id from import_job
      where store_id = ${storeId} and status <> 'complete' and coalesce(retry_at <= now(), true)
      order by id limit 1
      for update skip locked)
    returning id as "jobId", kind, attempts as number`.execute(db);
  return rows[0] && { storeId, ...rows[0] };
}

/** Postpones the next attempt after a failure. */
export async function postponeAfterFailure(db: Sql, { storeId, jobId }: Attempt): Promise<void> {
  await sql`
    update import_job set touched_at = now(), retry_at = now() + ${pauseAfter(sql`attempts - 1`)}
    where store_id = ${storeId} and id = ${jobId} and status <> 'complete'`.execute(db);
}

/** Uncounts an attempt that was interrupted through no fault of the job. */
export async function uncountAttempt(db: Sql, { storeId, jobId }: Attempt): Promise<void> {
  await sql`
    update import_job set attempts = greatest(0, attempts - 1), retry_at = now() + interval '1 second'
    where store_id = ${storeId} and id = ${jobId} and status <> 'complete'`.execute(db);
}

/** Queues a store again if any of its unfinished jobs is due. */
export async function requeueStore({ sql: queue, stores }: DataAndQueue, storeId: string): Promise<void> {
  const { rows } = await sql`
    select from import_job
    where store_id = ${storeId} and status <> 'complete' and coalesce(retry_at <= now(), true) limit 1`.execute(
    stores.of(storeId),
  );
  if (rows.length > 0) await sql`select ${enqueue(storeId)}`.execute(queue);
}

/**
 * Queues the stores again that have a due job, no place in the queue and no active worker. Harmless if a worker is
 * active and merely slow.
 */
export async function requeueAbandonedStores({ sql: queue, stores }: DataAndQueue): Promise<void> {
  await stores.each(async (db) => {
    // Store by store: one may have a hundred thousand jobs.
    const { rows } = await sql<{ id: string }>`
      with recursive waiting (id) as (
        (select store_id from import_job where status <> 'complete' order by store_id limit 1)
        union all
        select (
          select store_id from import_job where status <> 'complete' and store_id > waiting.id order by store_id limit 1)
        from waiting where id is not null
      )
      select id from waiting
      where id is not null
        and not exists (
          select from import_job
          where store_id = waiting.id and status <> 'complete' and touched_at > now() - ${ABANDONED})
        and exists (
          select from import_job
          where store_id = waiting.id and status <> 'complete' and coalesce(retry_at <= now(), true))`.execute(db);
    if (rows.length === 0) return;
    await sql`
      with abandoned as materialized (
        select id::text from unnest(${uuids(rows.map(({ id }) => id))}::uuid[]) as r (id)
        where not exists (
          select from graphile_worker.jobs where key = 'import:' || r.id and locked_at is null)
        limit ${MAX_RESCUED}
      )
      select ${enqueue(sql`abandoned.id`)} from abandoned`.execute(queue);
  }, `import_job where status <> 'complete'`);
}

export function rescueOfStores(data: DataAndQueue): PeriodicTask {
  return { failure: 'rescue of jobs failed', everyMs: 2_000, run: () => requeueAbandonedStores(data) };
}
