import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { CustomerImport, ImportState } from './customer-import.ts';
import { findImport, type RowError } from './find-imports.ts';
import type { Place } from './parts.ts';
import { BYTES_PER_ROW, KEPT_INTERVAL } from './start-import.ts';
import type { Written } from './write-rows.ts';

/** Errors of an import that are kept. */
const MAX_ERRORS = 10_000;

/** What has become of some rows, and where the next one is. */
export interface Progress extends Written {
  /** Rows that could not be read. */
  broken: number;
  bytesDone: number;
  /** Bytes of the file up to which lines may be part of a value. */
  doubtfulTo: number;
  line: number;
  place: Place;
  /** Whether the file ends there. */
  isEnd: boolean;
}

/** Records what became of rows, and deletes the parts that are done; the last rows complete the import. */
export async function settleRows(tx: Sql, storeId: string, id: string, progress: Progress): Promise<void> {
  const { created, updated, errors, rows, broken, bytesDone, doubtfulTo, line, place, isEnd, isProgress } = progress;
  const kept = await keepErrors(tx, storeId, id, errors);
  await sql`
    update customer_import set
      state = 'processing', bytes_done = ${bytesDone}, next_part = ${place.part}, next_offset = ${place.offset},
      next_line = ${line}, doubtful_to = ${doubtfulTo}, rows_read = rows_read + ${rows},
      rows_created = rows_created + ${created}, rows_updated = rows_updated + ${updated}, rows_failed = rows_failed + ${errors.length},
      rows_broken = rows_broken + ${broken}, errors_kept = errors_kept + ${kept}
    where store_id = ${storeId} and id = ${id}`.execute(tx);
  await sql`
    delete from customer_import_part
    where store_id = ${storeId} and import_id = ${id} and number < ${place.part}`.execute(tx);
  // The total is an estimate until the end, for the metrics.
  await sql`
    update import_job set
      status = 'processing', completed = completed + ${rows - errors.length}, failed = failed + ${errors.length},
      total = completed + failed + ${rows} + (
        select ceil((bytes - bytes_done) * coalesce(rows_read::float8 / nullif(bytes_done, 0), ${1 / BYTES_PER_ROW}))
        from customer_import where store_id = ${storeId} and id = ${id}
      ),
      started_at = coalesce(started_at, now()), expires_at = now() + ${KEPT_INTERVAL}, touched_at = now(),
      attempts = case when ${isProgress} then 0 else attempts end, retry_at = null
    where store_id = ${storeId} and id = ${id}`.execute(tx);
  if (isEnd) await endImport(tx, storeId, id, { state: 'complete', failure: null });
}

/** Keeps errors as far as there is room, and returns how many. */
async function keepErrors(tx: Sql, storeId: string, id: string, errors: readonly RowError[]): Promise<number> {
  if (errors.length === 0) return 0;
  const records = errors.map(({ line, code, column, value, problem }) => {
    return { position: line, code, path: column === null ? [] : [column], value, problem };
  });
  const { rows } = await sql`
    insert into import_error (store_id, job_id, position, code, path, value, problem)
    select ${storeId}::uuid, ${id}::uuid, position, code, path, value, problem
    from json_to_recordset(${JSON.stringify(records)}::json)
      as r (position int, code text, path json, value text, problem text)
    order by position
    limit greatest(0, ${MAX_ERRORS} - (
      select errors_kept from customer_import where store_id = ${storeId} and id = ${id}))
    returning position`.execute(tx);
  return rows.length;
}

interface End {
  state: Extract<ImportState, 'complete' | 'cancelled' | 'failed'>;
  failure: string | null;
}

/** Ends an import that has not ended, and deletes its text. After a failure, its key may be used again. */
export async function endImport(tx: Sql, storeId: string, id: string, { state, failure }: End): Promise<void> {
  await sql`
    update import_job set
      status = 'complete', total = completed + failed, completed_at = now(), expires_at = now() + ${KEPT_INTERVAL},
      retry_at = null
    where store_id = ${storeId} and id = ${id} and status <> 'complete'`.execute(tx);
  await sql`
    update customer_import set
      state = ${state}, failure = ${failure}, ended_at = now(), expires_at = now() + ${KEPT_INTERVAL},
      idempotency_key = ${state === 'complete' ? sql`idempotency_key` : null}
    where store_id = ${storeId} and id = ${id} and ended_at is null`.execute(tx);
  await sql`delete from customer_import_part where store_id = ${storeId} and import_id = ${id}`.execute(tx);
}

/** Cancels an import unless it has ended. Undefined if the store has no such import. */
export async function cancelImport(db: Sql, storeId: string, id: string): Promise<CustomerImport | undefined> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      await endImport(tx, storeId, id, { state: 'cancelled', failure: null });
      return await findImport(tx, storeId, id);
    }),
  );
}
