import { sql } from 'kysely';
import { isBadData } from '../../../db/driver-errors.ts';
import type { Sql } from '../../../db/orm.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { type Attempt, MAX_ATTEMPTS_AT_ITEM, MAX_ATTEMPTS_AT_JOB } from '../attempts.ts';
import { type Plan, parseConsent } from './customer-import.ts';
import { readParts } from './parts.ts';
import { endImport, type Progress, settleRows } from './progress.ts';
import { type CsvPortion, readRows } from './read-rows.ts';
import { toError } from './row-error.ts';
import { countBreaks, isWithinLine } from './scan-row.ts';
import { ImportFailure, type Target, type Written, writeRows } from './write-rows.ts';

/** Rows written in one transaction; with ten lists, each of them is eleven rows of tables or more. */
const MAX_ROWS = 1_000;
/** Rows of a file. */
const MAX_FILE_ROWS = 1_000_000;
/** Rows with broken quotes, or that may be part of a value: a file with more is none of CSV, or has another delimiter. */
const MAX_BROKEN = 100;
/** Bytes of a file that are read for one transaction. */
const WINDOW_BYTES = 1024 * 1024;

/**
 * Writes the next rows of an import. Returns how many there were; 0 if nothing is left to do or another worker holds the
 * import. Rows, errors, counts and the place in the file commit together, under a lock on its job: whenever a
 * worker dies, and however many work on one import, each row is written once.
 */
export async function processImport(db: Sql, { storeId, jobId: id, number }: Attempt): Promise<number> {
  const inTransaction = <Result>(work: (tx: Sql) => Promise<Result>) =>
    retryConflicts(db, () => db.transaction().execute(work));
  const fail = (reason: string) =>
    inTransaction((tx) => endImport(tx, storeId, id, { state: 'failed', failure: reason }));
  if (number > MAX_ATTEMPTS_AT_JOB) {
    await fail(`It made no progress in ${MAX_ATTEMPTS_AT_JOB} attempts`);
    return 0;
  }
  try {
    if (number === MAX_ATTEMPTS_AT_ITEM + 1) {
      const write = giveUp(`could not be stored in ${MAX_ATTEMPTS_AT_ITEM} attempts`, false);
      return await inTransaction((tx) => processRows(tx, storeId, id, 1, write));
    }
    // After a failure they may be too many for one transaction.
    for (let rows = Math.max(1, MAX_ROWS >> (number - 1)); ; rows = rows >> 1) {
      try {
        if (rows > 0) return await inTransaction((tx) => processRows(tx, storeId, id, rows, writeRows));
        // A single bad row must not hold up the others.
        const write = giveUp('Something went wrong on our side', true);
        return await inTransaction((tx) => processRows(tx, storeId, id, 1, write));
      } catch (error) {
        if (rows === 0 || !isBadData(error)) throw error;
      }
    }
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    await fail(error.message);
    return 0;
  }
}

/** Records the first row as failed; `isProgress` as in `Written`. */
function giveUp(problem: string, isProgress: boolean): typeof writeRows {
  return async (_tx, _storeId, _target, [row], firstLine): Promise<Written> => {
    if (!row) return { rows: 0, created: 0, updated: 0, errors: [], isProgress };
    const error = { ...toError(firstLine + row.line, problem), code: 'internal_error' as const };
    return { rows: 1, created: 0, updated: 0, errors: [error], isProgress };
  };
}

/** Has rows from the place where the import is written, and records what became of them. */
async function processRows(
  tx: Sql,
  storeId: string,
  id: string,
  maxRows: number,
  write: typeof writeRows,
): Promise<number> {
  const progress = await takeImport(tx, storeId, id);
  if (!progress) return 0;
  const { target, place, delimiter, bytes, bytesDone, doubtfulTo, parts } = progress;
  // The byte before tells whether a line that is too long goes on.
  const before = Math.min(place.offset, 1);
  const start = { ...place, offset: place.offset - before };
  const contents = await readParts(tx, storeId, id, start, parts, before + WINDOW_BYTES);
  const all = Buffer.concat(contents);
  const text = all.subarray(before);
  if (text.length === 0 && bytesDone < bytes) throw new Error('The rest of the file is missing');
  const isEnd = bytesDone + text.length >= bytes;
  const portion = readRows(text, {
    delimiter,
    maxRows,
    isEnd,
    width: target.plan.width,
    isWithinLine: isWithinLine(all, before),
    doubtfulTo: Math.max(0, doubtfulTo - bytesDone),
  });
  const written = await write(tx, storeId, target, portion.rows, progress.line);
  const { end, lines, ...reached } = upTo(text, portion, written.rows);
  const broken = portion.rows.slice(0, written.rows).filter(({ problem }) => problem !== undefined).length;
  if (progress.read + written.rows > MAX_FILE_ROWS) {
    throw new ImportFailure(`The file has more than ${MAX_FILE_ROWS.toLocaleString('en')} rows`);
  }
  await settleRows(tx, storeId, id, {
    ...written,
    broken,
    bytesDone: bytesDone + end,
    doubtfulTo: Math.min(bytes, bytesDone + reached.doubtfulTo),
    line: progress.line + lines,
    place: moved(start, contents, before + end),
    isEnd: bytesDone + end >= bytes,
  });
  if (progress.broken + broken > MAX_BROKEN) {
    const failure = `More than ${MAX_BROKEN} rows can't be read; a quote of the first of them may not be closed, or the file has another delimiter or is not CSV`;
    await endImport(tx, storeId, id, { state: 'failed', failure });
  }
  return written.rows;
}

/** Returns how far the first rows of a portion of a text reach: all of them to its end. */
function upTo(text: Buffer, portion: CsvPortion, rows: number): Omit<CsvPortion, 'rows'> {
  const last = portion.rows[rows - 1];
  if (rows === portion.rows.length || !last) return portion;
  const { end, doubtfulTo } = last;
  return { end, lines: countBreaks(text, 0, end), doubtfulTo };
}

/**
 * Returns the place some bytes further on, in contents of which the first begins at the place: at the end of a part rather
 * than at the beginning of the next, so that the byte before it is kept.
 */
function moved({ part, offset }: Progress['place'], contents: readonly Buffer[], bytes: number): Progress['place'] {
  let [left, number, before] = [bytes, part, offset];
  for (const content of contents) {
    if (left <= content.length) break;
    left -= content.length;
    number += 1;
    before = 0;
  }
  return { part: number, offset: before + left };
}

interface Taken {
  target: Target;
  delimiter: string;
  place: Progress['place'];
  line: number;
  parts: number;
  bytes: number;
  bytesDone: number;
  /** Bytes of the file up to which lines may be part of a value. */
  doubtfulTo: number;
  /** Rows so far. */
  read: number;
  broken: number;
}

interface TakenRow extends Omit<Taken, 'target' | 'place'> {
  name: string | null;
  plan: RawJson;
  consent: RawJson | null;
  listIds: string[];
  isHistorical: boolean;
  part: number;
  offset: number;
}

/** Locks the job of an import; undefined if it is held, or nothing is left to do. */
async function takeImport(tx: Sql, storeId: string, id: string): Promise<Taken | undefined> {
  const locked = await sql`
    select from import_job
    where store_id = ${storeId} and id = ${id} and status <> 'complete' for update skip locked`.execute(tx);
  if (locked.rows.length === 0) return undefined;
  const { rows } = await sql<TakenRow>`
    select name, plan, consent, list_ids as "listIds", is_historical as "isHistorical", delimiter, parts, bytes,
      bytes_done as "bytesDone", doubtful_to as "doubtfulTo", next_part as part, next_offset as "offset",
      next_line as line, rows_read as read, rows_broken as broken
    from customer_import where store_id = ${storeId} and id = ${id} and ended_at is null`.execute(tx);
  if (!rows[0]) {
    // It was cancelled just as it was started.
    await endImport(tx, storeId, id, { state: 'cancelled', failure: null });
    return undefined;
  }
  const [{ name, plan, consent, listIds, isHistorical, part, offset, ...rest }] = rows as [TakenRow];
  const target = { name, plan: plan.parse<Plan>(), consent: consent && parseConsent(consent), listIds, isHistorical };
  return { ...rest, target, place: { part, offset } };
}
