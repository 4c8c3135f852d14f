import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import {
  numberCursor,
  type Page,
  type PageRequest,
  readNewest,
  readNumberCursor,
  toPage,
} from '../../reading/cursor.ts';
import { ServiceError } from '../../service-error.ts';
import { AT_ONCE } from './at-once.ts';
import { deleteFile, lockFeed } from './files.ts';
import { type FeedRun, RUN_COLUMNS, type RunRow, runFromRow } from './run.ts';

/** What is wrong with a product of a file. */
export interface FeedError {
  line: number;
  column: string | null;
  problem: string;
}

/** Returns the runs of a feed, newest first. */
export async function listRuns(db: Sql, storeId: string, feedId: string, page: PageRequest): Promise<Page<FeedRun>> {
  return await readNewest(
    db,
    page,
    runFromRow,
    (place) => sql<RunRow>`
    select ${RUN_COLUMNS} from catalog_feed_run
    where store_id = ${storeId} and feed_id = ${feedId} and ${place}`,
  );
}

/** Undefined if the feed has no such run. */
export async function findRun(db: Sql, storeId: string, feedId: string, id: string): Promise<FeedRun | undefined> {
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS} from catalog_feed_run
    where store_id = ${storeId} and id = ${id} and feed_id = ${feedId}`.execute(db);
  return rows[0] && runFromRow(rows[0]);
}

/** Returns what was wrong with the file, in its order. */
export async function listErrors(db: Sql, storeId: string, runId: string, page: PageRequest): Promise<Page<FeedError>> {
  const after = page.cursor === undefined ? 0 : readNumberCursor(page.cursor);
  const { rows } = await sql<FeedError & { number: number; candidates?: never }>`
    select number, line, column_name as column, problem from catalog_feed_error
    where store_id = ${storeId} and run_id = ${runId} and number > ${after}::int
    order by number
    limit ${page.limit + 1}`.execute(db);
  const toError = ({ line, column, problem }: FeedError): FeedError => ({ line, column, problem });
  return toPage(rows, page.limit, toError, ({ number }) => numberCursor(number));
}

/**
 * Has a feed read again at once, all of it, and permits that as many items are hidden as its run would have. Throws
 * `validation_error` unless it is the last run, and waits for that. Undefined if the feed has no such run.
 */
export async function confirmRun(db: Sql, storeId: string, feedId: string, id: string): Promise<FeedRun | undefined> {
  return await db.transaction().execute(async (tx) => {
    await lockFeed(tx, storeId, feedId);
    const { rows } = await sql<RunRow>`
      update catalog_feed_run set status = 'confirmed'
      where store_id = ${storeId} and id = ${id} and feed_id = ${feedId} and status = 'needs_confirmation'
        and not exists (
          select from catalog_feed_run
          where store_id = ${storeId} and feed_id = ${feedId} and id > ${id} and status <> 'failed'
        )
      returning ${RUN_COLUMNS}`.execute(tx);
    const [run] = rows;
    if (!run) {
      const found = await findRun(tx, storeId, feedId, id);
      if (!found || found.status === 'confirmed') return found;
      throw new ServiceError(
        'validation_error',
        'The run does not wait for a confirmation, or another has followed it',
      );
    }
    await sql`
      update catalog_feed
      set may_hide = ${run.missing}::int, due_at = case when run_id is null then ${AT_ONCE} else due_at end
      where store_id = ${storeId} and id = ${feedId}`.execute(tx);
    return runFromRow(run);
  });
}

/**
 * Leaves what a run would hide as it is, and deletes its file if it was uploaded, unless that is being read once more. A run that does not wait for that is
 * returned as it is. Undefined if the feed has no such run.
 */
export async function dismissRun(db: Sql, storeId: string, feedId: string, id: string): Promise<FeedRun | undefined> {
  return await db.transaction().execute(async (tx) => {
    const feed = await lockFeed(tx, storeId, feedId);
    const { rows } = await sql<RunRow>`
      update catalog_feed_run set status = 'dismissed'
      where store_id = ${storeId} and id = ${id} and feed_id = ${feedId} and status = 'needs_confirmation'
      returning ${RUN_COLUMNS}`.execute(tx);
    if (!rows[0]) return await findRun(tx, storeId, feedId, id);
    if (!feed?.isUnderWay) await deleteFile(tx, storeId, feedId);
    return runFromRow(rows[0]);
  });
}
