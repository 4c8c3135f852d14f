import { sql } from 'kysely';
import { isStatementError } from '../db/errors.ts';
import type { Sql } from '../db/orm.ts';
import type { RawJson } from '../db/raw-json.ts';
import { ServiceError } from './errors.ts';
import { packItems, unpackItems } from './import-chunk.ts';
import { enqueue, type ImportError, type ImportItem } from './import-jobs.ts';
import type { BatchObserver } from './write/observer.ts';
import { recordBatch } from './write/record.ts';
import { retrying } from './write/retry.ts';

/** A job that nobody has worked at for so long has lost its worker, or its place in the queue. */
const ABANDONED_MS = 2_000;
/** Jobs that one look puts back into the queue. */
const MAX_RESCUED = 100;

interface Chunk {
  position: number;
  items: ImportItem[];
}

/**
 * Records the next chunk of a job; false where nothing is left. The items, the errors and the counts commit with the
 * deletion of the chunk, under a lock of the job: whenever a worker dies, and however many work at one job, each item
 * is recorded once.
 */
export async function processNextChunk(
  db: Sql,
  storeId: string,
  jobId: string,
  observe: BatchObserver,
): Promise<boolean> {
  const start = performance.now();
  try {
    const items = await retrying(db, () => db.transaction().execute((tx) => processIn(tx, storeId, jobId)));
    if (items > 0) observe('import', items, (performance.now() - start) / 1000);
    return items > 0;
  } catch (error) {
    if (!isStatementError(error)) throw error;
    // The database refuses something in the chunk itself.
    await db.transaction().execute((tx) => narrow(tx, storeId, jobId));
    return true;
  }
}

/** How many items it has settled: none where no chunk is left. */
async function processIn(tx: Sql, storeId: string, jobId: string): Promise<number> {
  const chunk = await takeChunk(tx, storeId, jobId);
  if (!chunk) return 0;
  const outcomes = await recordBatch(
    tx,
    storeId,
    chunk.items.map(({ draft }) => draft),
    { tellsProfiles: false },
  );
  const errors = outcomes.flatMap((outcome, i) =>
    outcome instanceof ServiceError ? toError(chunk.items[i] as ImportItem, chunk.position + i, outcome) : [],
  );
  await settle(tx, storeId, jobId, outcomes.length - errors.length, errors);
  return outcomes.length;
}

/** Locks the job, and takes its first chunk out of the table. */
async function takeChunk(tx: Sql, storeId: string, jobId: string): Promise<Chunk | undefined> {
  await sql`select 1 from import_job where store_id = ${storeId} and id = ${jobId} for update`.execute(tx);
  const { rows } = await sql<{ position: number; items: RawJson }>`
    delete from import_chunk
    where store_id = ${storeId} and job_id = ${jobId} and position = (
      select min(position) from import_chunk where store_id = ${storeId} and job_id = ${jobId})
    returning position, items`.execute(tx);
  return rows[0] && { position: rows[0].position, items: unpackItems(JSON.parse(rows[0].items.text)) };
}

/** Writes down what became of a chunk; the last one completes the job. */
async function settle(
  tx: Sql,
  storeId: string,
  jobId: string,
  completed: number,
  errors: ImportError[],
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
      touched_at = now()
    where store_id = ${storeId} and id = ${jobId}`.execute(tx);
}

/** Halves the first chunk, or records its one item as failed: a single bad item must not hold up the others. */
async function narrow(tx: Sql, storeId: string, jobId: string): Promise<void> {
  const chunk = await takeChunk(tx, storeId, jobId);
  if (!chunk) return;
  const [item] = chunk.items as [ImportItem];
  if (chunk.items.length === 1) {
    const error = new ServiceError('internal_error', 'Something went wrong on our side');
    return settle(tx, storeId, jobId, 0, [toError(item, chunk.position, error)]);
  }
  const half = chunk.items.length >> 1;
  const halves = [
    { position: chunk.position, items: packItems(chunk.items.slice(0, half)) },
    { position: chunk.position + half, items: packItems(chunk.items.slice(half)) },
  ];
  await sql`
    insert into import_chunk (store_id, job_id, position, items)
    select ${storeId}, ${jobId}, position, items
    from json_to_recordset(${JSON.stringify(halves)}::json) as r (position int, items json)`.execute(tx);
}

function toError({ path }: ImportItem, position: number, { code, message, violations }: ServiceError): ImportError {
  const [violation] = violations;
  return {
    id: String(position),
    code,
    path: [...path, ...(violation?.path ?? [])],
    problem: violation?.problem ?? message,
  };
}

/** Puts the jobs that were abandoned back into the queue; those whose worker only was slow come to no harm by it. */
export async function rescueJobs(db: Sql): Promise<void> {
  const { rows } = await sql<{ storeId: string; id: string }>`
    update import_job set touched_at = now()
    where (store_id, id) in (
      select store_id, id from import_job
      where status <> 'complete' and touched_at < now() - ${`${ABANDONED_MS} ms`}::interval
      order by touched_at limit ${MAX_RESCUED}
      for update skip locked)
    returning store_id as "storeId", id`.execute(db);
  for (const { storeId, id } of rows) await sql`select ${enqueue(storeId, id)}`.execute(db);
}
