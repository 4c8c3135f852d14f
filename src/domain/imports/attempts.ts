import { type RawBuilder, sql } from 'kysely';
import type { ImportJobRecord } from '../../db/entities/import-job.ts';
import type { Sql } from '../../db/orm.ts';
import { firstOfStores } from '../../db/rows.ts';

/**
 * Attempts without progress after which the first item of a job is given up; and after which all its remaining items
 * are.
 */
export const MAX_ATTEMPTS_AT_ITEM = 10;
export const MAX_ATTEMPTS_AT_JOB = 20;
/** Maximum seconds until the next attempt. */
const MAX_PAUSE_SECONDS = 600;
/** Of an unfinished job: whether it is to be tried, or tried again. */
const IS_DUE = sql`coalesce(retry_at <= now(), true)`;

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
      where store_id = ${storeId} and status <> 'complete' and ${IS_DUE}
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

/** Uncounts an attempt that was interrupted through no fault of the job, if it is still the latest. */
export async function uncountAttempt(db: Sql, { storeId, jobId, number }: Attempt): Promise<void> {
  await sql`
    update import_job set attempts = attempts - 1, retry_at = now() + interval '1 second'
    where store_id = ${storeId} and id = ${jobId} and status <> 'complete' and attempts = ${number}`.execute(db);
}

/** Finds the stores of one part of the data that have jobs which are due. As much work as there are stores with jobs. */
export async function findStoresWithDueJobs(db: Sql): Promise<string[]> {
  // Of each store the job that is due first.
  const first = (where: RawBuilder<unknown>) => sql`
    select store_id, retry_at from import_job
    where status <> 'complete' and ${where} order by store_id, retry_at nulls first limit 1`;
  const { rows } = await sql<{ storeId: string }>`
    with recursive ${firstOfStores('unfinished', first)}
    select store_id as "storeId" from unfinished where ${IS_DUE}`.execute(db);
  return rows.map(({ storeId }) => storeId);
}
