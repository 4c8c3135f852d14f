import { sql } from 'kysely';
import type { ImportJobRecord } from '../../db/entities/import-job.ts';
import type { Sql } from '../../db/orm.ts';
import { enqueue } from './jobs.ts';

/** Attempts without progress, after which the first item of a job is given up; and after which all that is left of it is. */
export const MAX_ATTEMPTS_AT_ITEM = 10;
export const MAX_ATTEMPTS_AT_JOB = 20;
/** Seconds until the next attempt, at most. */
const MAX_PAUSE_SECONDS = 600;
/** A store in whose jobs nothing has happened for so long has lost its worker, or its place in the queue. */
const ABANDONED = sql`interval '2 seconds'`;
/** Stores that one look puts back into the queue. */
const MAX_RESCUED = 100;

/** An attempt at the next chunk of a job. */
export interface Attempt {
  storeId: string;
  jobId: string;
  /** Counted from 1, since the job last made progress. */
  number: number;
}

/** Doubled with each attempt; `n` is how many there were. */
const pauseAfter = (n: unknown) =>
  sql`least(${MAX_PAUSE_SECONDS}::int, power(2, least(${n}, 20))) * interval '1 second'`;

/**
 * Begins an attempt at the store's oldest job that is due and that nobody works at; undefined where there is none. It is
 * written down before it is made: whoever makes it may not live to tell that it failed.
 */
export async function beginAttempt(db: Sql, storeId: string): Promise<Attempt | undefined> {
  const { rows } = await sql<{ jobId: ImportJobRecord['id']; number: ImportJobRecord['attempts'] }>`
    update import_job set
      attempts = attempts + 1, touched_at = now(), retry_at = now() + ${pauseAfter(sql`attempts + 1`)}
    where store_id = ${storeId} and id = (
      select id from import_job
      where store_id = ${storeId} and status <> 'complete' and coalesce(retry_at <= now(), true)
      order by id limit 1
      for update skip locked)
    returning id as "jobId", attempts as number`.execute(db);
  return rows[0] && { storeId, ...rows[0] };
}

/** The attempt has failed: the next one comes later. */
export async function endAttempt(db: Sql, { storeId, jobId }: Attempt): Promise<void> {
  await sql`
    update import_job set touched_at = now(), retry_at = now() + ${pauseAfter(sql`attempts - 1`)}
    where store_id = ${storeId} and id = ${jobId} and status <> 'complete'`.execute(db);
}

/** The attempt was interrupted by something that is not the job's fault, and does not count. */
export async function takeBackAttempt(db: Sql, { storeId, jobId }: Attempt): Promise<void> {
  await sql`
    update import_job set attempts = greatest(0, attempts - 1), retry_at = now() + interval '1 second'
    where store_id = ${storeId} and id = ${jobId} and status <> 'complete'`.execute(db);
}

/** Puts a store back into the queue whose jobs are not done. */
export async function queueAgain(db: Sql, storeId: string): Promise<void> {
  await sql`
    select ${enqueue(storeId)} where exists (
      select from import_job
      where store_id = ${storeId} and status <> 'complete' and coalesce(retry_at <= now(), true))`.execute(db);
}

/**
 * Puts the stores back into the queue that have a job which is due, no place there, and nobody who works for them; no
 * harm is done where somebody does, and only is slow.
 */
export async function rescueStores(db: Sql): Promise<void> {
  // Store by store: one may have a hundred thousand jobs.
  await sql`
    with recursive store (id) as (
      (select store_id from import_job where status <> 'complete' order by store_id limit 1)
      union all
      select (
        select store_id from import_job where status <> 'complete' and store_id > store.id order by store_id limit 1)
      from store where id is not null
    ), abandoned as materialized (
      select id::text from store
      where id is not null
        and not exists (
          select from graphile_worker.jobs where key = 'import:' || store.id and locked_at is null)
        and not exists (
          select from import_job
          where store_id = store.id and status <> 'complete' and touched_at > now() - ${ABANDONED})
        and exists (
          select from import_job
          where store_id = store.id and status <> 'complete' and coalesce(retry_at <= now(), true))
      limit ${MAX_RESCUED}
    )
    select ${enqueue(sql`abandoned.id`)} from abandoned`.execute(db);
}
