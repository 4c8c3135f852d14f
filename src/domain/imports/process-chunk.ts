import { sql } from 'kysely';
import { isBadData } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/orm.ts';
import type { Row } from '../../db/tables.ts';
import { type ErrorCode, ServiceError, type Violation } from '../service-error.ts';
import { recordBatch } from '../write/record-batch.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { type Attempt, MAX_ATTEMPTS_AT_ITEM, MAX_ATTEMPTS_AT_JOB } from './attempts.ts';
import type { ImportError } from './jobs.ts';
import type { ImportItem } from './packed-items.ts';
import { packItems, unpackItems } from './packed-items.ts';

/** Bytes of profiles that one transaction may read and write; what is parsed from them takes several times as much. */
const MAX_PROFILE_BYTES = 16 * 1024 * 1024;

interface Chunk {
  position: number;
  items: ImportItem[];
}

/**
 * Records the next items of a job; answers how many are settled, none where nothing is left to do or somebody else does
 * it. The items, the errors and the counts commit with the deletion of the chunk, under a lock of the job: whenever a
 * worker dies, and however many work at one job, each item is recorded once.
 */
export async function processNextChunk(db: Sql, { storeId, jobId, number }: Attempt): Promise<number> {
  const within = <Result>(work: (tx: Sql, job: Job) => Promise<Result>) =>
    retryConflicts(db, () => db.transaction().execute((tx) => work(tx, { storeId, jobId })));
  if (number > MAX_ATTEMPTS_AT_JOB) {
    let items = 0;
    const reason = `was not tried any more, as its job made no progress in ${MAX_ATTEMPTS_AT_JOB} attempts`;
    for (let more = true; more; ) {
      const settled = await within((tx, job) => giveUp(tx, job, reason));
      items += settled;
      more = settled > 0;
    }
    return items;
  }
  if (number === MAX_ATTEMPTS_AT_ITEM + 1) {
    return within((tx, job) => giveUp(tx, job, `could not be stored in ${MAX_ATTEMPTS_AT_ITEM} attempts`, 1));
  }
  // It may be too much at a time.
  if (number > 1) await within(halve);
  for (;;) {
    try {
      return await within(processIn);
    } catch (error) {
      if (!isBadData(error)) throw error;
      // A single bad item must not hold up the others.
      const settled = (await within(halve)) ? 0 : await within((tx, job) => giveUp(tx, job));
      if (settled > 0) return settled;
    }
  }
}

interface Job {
  storeId: string;
  jobId: string;
}

/** How many items it has settled: none where no chunk is left. */
async function processIn(tx: Sql, job: Job): Promise<number> {
  const chunk = await takeChunk(tx, job);
  if (!chunk) return 0;
  const outcomes = await recordBatch(
    tx,
    job.storeId,
    chunk.items.map(({ draft }) => draft),
    { returnProfiles: false, maxProfileBytes: MAX_PROFILE_BYTES },
  );
  const done = outcomes.length;
  await putBack(tx, job, [{ position: chunk.position + done, items: chunk.items.slice(done) }]);
  const errors = outcomes.flatMap((outcome, i) => {
    if (!(outcome instanceof ServiceError)) return [];
    const [{ path, problem } = { path: [], problem: outcome.message }] = outcome.violations;
    return toError(chunk, i, outcome.code, path, problem);
  });
  await settle(tx, job, done - errors.length, errors);
  return done;
}

/** Locks the job, and takes its first chunk out of the table; undefined where there is none, or somebody works at it. */
async function takeChunk(tx: Sql, { storeId, jobId }: Job): Promise<Chunk | undefined> {
  const locked = await sql`
    select 1 from import_job where store_id = ${storeId} and id = ${jobId} for update skip locked`.execute(tx);
  if (locked.rows.length === 0) return undefined;
  const { rows } = await sql<Pick<Row<'import_chunk'>, 'position' | 'items'>>`
    delete from import_chunk
    where store_id = ${storeId} and job_id = ${jobId} and position = (
      select min(position) from import_chunk where store_id = ${storeId} and job_id = ${jobId})
    returning position, items`.execute(tx);
  return rows[0] && { position: rows[0].position, items: unpackItems(rows[0].items.parse()) };
}

async function putBack(tx: Sql, { storeId, jobId }: Job, chunks: readonly Chunk[]): Promise<void> {
  const packed = chunks
    .filter(({ items }) => items.length > 0)
    .map(({ position, items }) => ({ position, items: packItems(items) }));
  if (packed.length === 0) return;
  await sql`
    insert into import_chunk (store_id, job_id, position, items)
    select ${storeId}, ${jobId}, position, items
    from json_to_recordset(${JSON.stringify(packed)}::json) as r (position int, items json)`.execute(tx);
}

/** Writes down what became of items, which is progress unless they were given up; the last ones complete the job. */
async function settle(
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

/** Divides the first chunk into two; false where it has one item, or there is none. */
async function halve(tx: Sql, job: Job): Promise<boolean> {
  const chunk = await takeChunk(tx, job);
  if (!chunk) return false;
  const half = chunk.items.length >> 1;
  await putBack(tx, job, [
    { position: chunk.position, items: chunk.items.slice(0, half) },
    { position: chunk.position + half, items: chunk.items.slice(half) },
  ]);
  return half > 0;
}

/**
 * Records the items of the first chunk, or the first so many of them, as failed, and answers how many those are.
 * `problem` says why; without one it was the database that refused them.
 */
async function giveUp(tx: Sql, job: Job, problem?: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  const chunk = await takeChunk(tx, job);
  if (!chunk) return 0;
  await putBack(tx, job, [{ position: chunk.position + most, items: chunk.items.slice(most) }]);
  const errors = chunk.items
    .slice(0, most)
    .map((_, i) => toError(chunk, i, 'internal_error', [], problem ?? 'Something went wrong on our side'));
  await settle(tx, job, 0, errors, problem === undefined);
  return errors.length;
}

/** The error of the item at a place of a chunk; `path` leads from the item to what is wrong. */
function toError(
  { position, items }: Chunk,
  place: number,
  code: ErrorCode,
  path: Violation['path'],
  problem: string,
): ImportError {
  const item = items[place] as ImportItem;
  return { id: String(position + place), code, path: [...item.path, ...path], problem };
}
