import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { HIGHEST_ID } from '../../../ids/uuid-v7.ts';
import {
  decode,
  encode,
  idCursor,
  notACursor,
  type Page,
  type PageRequest,
  readIdCursor,
  toPage,
} from '../../reading/cursor.ts';
import { ServiceError } from '../../service-error.ts';
import { AT_ONCE } from './at-once.ts';

export type RunStatus = 'running' | 'complete' | 'unchanged' | 'needs_confirmation' | 'confirmed' | 'failed';

export interface RunCounts {
  records: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  hidden: number;
  /** Items of the feed that were not in the file. */
  missing: number;
}

/** Reading the file of a feed once. */
export interface FeedRun extends RunCounts {
  id: string;
  feedId: string;
  status: RunStatus;
  error: string | null;
  startedAt: Date;
  endedAt: Date | null;
}

/** What is wrong with a product of a file. */
export interface FeedError {
  line: number;
  column: string | null;
  problem: string;
}

interface Row extends Omit<FeedRun, 'startedAt' | 'endedAt'> {
  started: number;
  ended: number | null;
  candidates?: never;
}

const COLUMNS = sql`
  id, feed_id as "feedId", status, records, created, updated, unchanged, rejected, hidden, missing, error,
  (extract(epoch from started_at) * 1000)::float8 as started, (extract(epoch from ended_at) * 1000)::float8 as ended`;

function fromRow({ started, ended, ...run }: Row): FeedRun {
  return { ...run, startedAt: new Date(started), endedAt: ended === null ? null : new Date(ended) };
}

/** Returns the runs of a feed, newest first. */
export async function listRuns(db: Sql, storeId: string, feedId: string, page: PageRequest): Promise<Page<FeedRun>> {
  const before = page.cursor === undefined ? HIGHEST_ID : readIdCursor(page.cursor);
  const { rows } = await sql<Row>`
    select ${COLUMNS} from catalog_feed_run
    where store_id = ${storeId} and feed_id = ${feedId} and id < ${before}
    order by id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, fromRow, idCursor);
}

/** Undefined if the feed has no such run. */
export async function findRun(db: Sql, storeId: string, feedId: string, id: string): Promise<FeedRun | undefined> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from catalog_feed_run
    where store_id = ${storeId} and id = ${id} and feed_id = ${feedId}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns what was wrong with the file, in its order. */
export async function listErrors(db: Sql, storeId: string, runId: string, page: PageRequest): Promise<Page<FeedError>> {
  const after = page.cursor === undefined ? 0 : Number(decode(page.cursor));
  if (!Number.isInteger(after) || after < 0 || after > 2 ** 31 - 1) throw notACursor();
  const { rows } = await sql<FeedError & { number: number; candidates?: never }>`
    select number, line, column_name as column, problem from catalog_feed_error
    where store_id = ${storeId} and run_id = ${runId} and number > ${after}::int
    order by number
    limit ${page.limit + 1}`.execute(db);
  const toError = ({ line, column, problem }: FeedError): FeedError => ({ line, column, problem });
  return toPage(rows, page.limit, toError, ({ number }) => encode(String(number)));
}

/**
 * Has a feed read again at once, all of it, and permits that as many items are hidden as its run would have. Throws
 * `validation_error` unless it is the last run, and waits for that. Undefined if the feed has no such run.
 */
export async function confirmRun(db: Sql, storeId: string, feedId: string, id: string): Promise<FeedRun | undefined> {
  return await db.transaction().execute(async (tx) => {
    await sql`select from catalog_feed where store_id = ${storeId} and id = ${feedId} for update`.execute(tx);
    const { rows } = await sql<Row>`
      update catalog_feed_run set status = 'confirmed'
      where store_id = ${storeId} and id = ${id} and feed_id = ${feedId} and status = 'needs_confirmation'
        and not exists (
          select from catalog_feed_run
          where store_id = ${storeId} and feed_id = ${feedId} and id > ${id} and status <> 'failed'
        )
      returning ${COLUMNS}`.execute(tx);
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
    return fromRow(run);
  });
}
