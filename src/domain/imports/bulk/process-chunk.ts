import { sql } from 'kysely';
import { isBadData } from '../../../db/driver-errors.ts';
import type { Sql } from '../../../db/orm.ts';
import type { Row } from '../../../db/tables.ts';
import { type ErrorCode, ServiceError, type Violation } from '../../service-error.ts';
import { recordInTransaction } from '../../write/record-batch.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { recordInOneStatement } from '../../write/single-statement.ts';
import { type Attempt, MAX_ATTEMPTS_AT_ITEM, MAX_ATTEMPTS_AT_JOB } from '../attempts.ts';
import { keepImportedProfiles } from './imported-profiles.ts';
import type { ImportError } from './jobs.ts';
import { FULL, joinLists } from './join-lists.ts';
import { type ImportItem, packItems, unpackItems } from './packed-items.ts';

/** Maximum bytes of profiles that one transaction reads and writes; parsed, they take several times as much. */
const MAX_PROFILE_BYTES = 16 * 1024 * 1024;

interface Chunk {
  position: number;
  items: ImportItem[];
  /** What its profiles join. */
  listNames: readonly string[];
}

/**
 * Records the next items of a job. Returns how many were settled; 0 if nothing is left to do or another worker holds
 * the job. The items, errors and counts commit together with the deletion of the chunk, under a lock on the job:
 * whenever a worker dies, and however many work on one job, each item is recorded once.
 */
export async function processNextChunk(db: Sql, { storeId, jobId, number }: Attempt): Promise<number> {
  const inTransaction = <Result>(work: (tx: Sql, job: Job) => Promise<Result>) =>
    retryConflicts(db, () => db.transaction().execute((tx) => work(tx, { storeId, jobId })));
  if (number > MAX_ATTEMPTS_AT_JOB) {
    let items = 0;
    const reason = `was not tried any more, as its job made no progress in ${MAX_ATTEMPTS_AT_JOB} attempts`;
    for (let more = true; more; ) {
      const settled = await inTransaction((tx, job) => failItems(tx, job, reason));
      items += settled;
      more = settled > 0;
    }
    return items;
  }
  if (number === MAX_ATTEMPTS_AT_ITEM + 1) {
    return inTransaction((tx, job) => failItems(tx, job, `could not be stored in ${MAX_ATTEMPTS_AT_ITEM} attempts`, 1));
  }
  // The chunk may be too large for one transaction.
  if (number > 1) await inTransaction(splitChunk);
  for (;;) {
    try {
      return await inTransaction(processFirstChunk);
    } catch (error) {
      if (!isBadData(error)) throw error;
      // A single bad item must not hold up the others.
      const settled = (await inTransaction(splitChunk)) ? 0 : await inTransaction((tx, job) => failItems(tx, job));
      if (settled > 0) return settled;
    }
  }
}

interface Job {
  storeId: string;
  jobId: string;
}

/** Returns how many items were settled; 0 if no chunk is left. */
async function processFirstChunk(tx: Sql, job: Job): Promise<number> {
  const chunk = await takeChunk(tx, job);
  if (!chunk) return 0;
  const drafts = chunk.items.map(({ draft }) => draft);
  const options = { returnProfiles: false, maxProfileBytes: MAX_PROFILE_BYTES };
  const outcomes =
    (await recordInOneStatement(tx, job.storeId, drafts)) ??
    (await recordInTransaction(tx, job.storeId, drafts, options));
  const done = outcomes.length;
  await putBackChunks(tx, job, [{ position: chunk.position + done, items: chunk.items.slice(done) }]);
  const full = await joinLists(tx, job.storeId, chunk.listNames, outcomes);
  const errors = outcomes.flatMap((outcome, i) => {
    if (!(outcome instanceof ServiceError)) return full.has(i) ? toError(chunk, i, 'validation_error', [], FULL) : [];
    const [{ path, problem } = { path: [], problem: outcome.message }] = outcome.violations;
    return toError(chunk, i, outcome.code, path, problem);
  });
  if (drafts.every(({ event }) => !event)) {
    const recorded = outcomes.flatMap((outcome) => ('profileId' in outcome ? outcome.profileId : []));
    await keepImportedProfiles(tx, job, chunk.position, recorded);
  }
  await settleItems(tx, job, done - errors.length, errors);
  return done;
}

/**
 * Locks the job and deletes its first chunk, which it returns; undefined if there is none or another worker holds the
 * job.
 */
async function takeChunk(tx: Sql, { storeId, jobId }: Job): Promise<Chunk | undefined> {
  const locked = await sql<{ listIds: string[] | null }>`
    select list_ids as "listIds" from import_job
    where store_id = ${storeId} and id = ${jobId} for update skip locked`.execute(tx);
  if (!locked.rows[0]) return undefined;
  const listNames = locked.rows[0].listIds ?? [];
  const { rows } = await sql<Pick<Row<'import_chunk'>, 'position' | 'items'>>`
    delete from import_chunk
    where store_id = ${storeId} and job_id = ${jobId} and position = (
      select min(position) from import_chunk where store_id = ${storeId} and job_id = ${jobId})
    returning position, items`.execute(tx);
  return rows[0] && { position: rows[0].position, items: unpackItems(rows[0].items.parse()), listNames };
}

async function putBackChunks(
  tx: Sql,
  { storeId, jobId }: Job,
  chunks: readonly Omit<Chunk, 'listNames'>[],
): Promise<void> {
  const packed = chunks
    .filter(({ items }) => items.length > 0)
    .map(({ position, items }) => ({ position, items: packItems(items) }));
  if (packed.length === 0) return;
  await sql`
    insert into import_chunk (store_id, job_id, position, items)
    select ${storeId}, ${jobId}, position, items
    from json_to_recordset(${JSON.stringify(packed)}::json) as r (position int, items json)`.execute(tx);
}

/** Records the outcome of items, which counts as progress unless they were given up; the last ones complete the job. */
async function settleItems(
  tx: Sql,
  { storeId, jobId }: Job,
  completed: number,
  errors: ImportError[],
  isProgress = true,
): Promise<void> {
  await sql`
    with error as (
      insert into import_error (store_id, job_id, position, code, path, problem)
      select ${storeId}, ${jobId}, id::int, code, path, problem
      from json_to_recordset(${JSON.stringify(errors)}::json) as r (id text, code text, path json, problem text)
    )
    update import_job set
      completed = completed + ${completed},
      failed = failed + ${errors.length},
      status = case when completed + failed + ${completed + errors.length} = total then 'complete' else 'processing' end,
      started_at = coalesce(started_at, now()),
      completed_at = case when completed + failed + ${completed + errors.length} = total then now() end,
      touched_at = now(),
      attempts = case when ${isProgress} then 0 else attempts end,
      retry_at = null
    where store_id = ${storeId} and id = ${jobId}`.execute(tx);
}

/** Splits the first chunk in two; false if it has one item or there is none. */
async function splitChunk(tx: Sql, job: Job): Promise<boolean> {
  const chunk = await takeChunk(tx, job);
  if (!chunk) return false;
  const half = chunk.items.length >> 1;
  await putBackChunks(tx, job, [
    { position: chunk.position, items: chunk.items.slice(0, half) },
    { position: chunk.position + half, items: chunk.items.slice(half) },
  ]);
  return half > 0;
}

/**
 * Records the items of the first chunk, at most `most` of them, as failed and returns their number. `problem` says why;
 * without it, the database refused them.
 */
async function failItems(tx: Sql, job: Job, problem?: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  const chunk = await takeChunk(tx, job);
  if (!chunk) return 0;
  await putBackChunks(tx, job, [{ position: chunk.position + most, items: chunk.items.slice(most) }]);
  const errors = chunk.items
    .slice(0, most)
    .map((_, i) => toError(chunk, i, 'internal_error', [], problem ?? 'Something went wrong on our side'));
  await settleItems(tx, job, 0, errors, problem === undefined);
  return errors.length;
}

/** Returns the error of an item by its index in the chunk; `path` leads from the item to the invalid part. */
function toError(
  { position, items }: Chunk,
  index: number,
  code: ErrorCode,
  path: Violation['path'],
  problem: string,
): ImportError {
  const item = items[index] as ImportItem;
  return { id: String(position + index), code, path: [...item.path, ...path], problem };
}
