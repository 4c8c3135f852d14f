import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import type { FeedFormat } from './read-records.ts';
import { type FeedRun, RUN_COLUMNS, type RunRow, runFromRow } from './run.ts';

/** A file that says what a store sells: at a URL, which is read every so often, or uploaded, which is read once. */
export interface Feed {
  id: string;
  name: string;
  source: 'url' | 'file';
  /** What of its URL may be seen, as it may have a token; empty for one that is uploaded. */
  urlShown: string;
  format: FeedFormat | null;
  currency: string | null;
  everyMinutes: number;
  isPaused: boolean;
  isRunning: boolean;
  /** Runs that have failed since one has not. */
  failures: number;
  /** Parts of an uploaded file that is not read yet. */
  parts: number;
  /** Null if it is paused, or being read. */
  nextRunAt: Date | null;
  /** The run that waits for somebody to confirm what it would hide. */
  waitingRunId: string | null;
  lastRun: FeedRun | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface FeedRow extends Omit<Feed, 'nextRunAt' | 'createdAt' | 'updatedAt' | 'waitingRunId' | 'lastRun'> {
  next: number | null;
  createdMs: number;
  updatedMs: number;
  candidates?: never;
}

/** Of `catalog_feed`, by that name. */
export const FEED_COLUMNS = sql`
  id, name, source, url_shown as "urlShown", format, currency, every_minutes as "everyMinutes", is_paused as "isPaused",
  run_id is not null as "isRunning", failures,
  (
    select count(*)::int from catalog_feed_part p
    where p.store_id = catalog_feed.store_id and p.feed_id = catalog_feed.id
  ) as parts,
  (extract(epoch from case when run_id is null then due_at end) * 1000)::float8 as next,
  (extract(epoch from created_at) * 1000)::float8 as "createdMs",
  (extract(epoch from updated_at) * 1000)::float8 as "updatedMs"`;

/** Returns feeds as they are, with what came of reading them last. */
export async function feedsFromRows(db: Sql, storeId: string, rows: readonly FeedRow[]): Promise<Feed[]> {
  const runs = await lastRunsOf(
    db,
    storeId,
    rows.map(({ id }) => id),
  );
  return rows.map(({ next, createdMs, updatedMs, ...feed }) => {
    const { run = null, waitingRunId = null } = runs.get(feed.id) ?? {};
    const [createdAt, updatedAt] = [new Date(createdMs), new Date(updatedMs)];
    const nextRunAt = next === null ? null : new Date(next);
    return { ...feed, nextRunAt, waitingRunId, lastRun: run, createdAt, updatedAt };
  });
}

async function lastRunsOf(db: Sql, storeId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<RunRow & { waitingRunId: string | null }>`
    select last.*, waiting.id as "waitingRunId"
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (
      select ${RUN_COLUMNS} from catalog_feed_run
      where store_id = ${storeId} and feed_id = w.id order by id desc limit 1
    ) last
    left join lateral (
      select id, status from catalog_feed_run
      where store_id = ${storeId} and feed_id = w.id and status <> 'failed' order by id desc limit 1
    ) waiting on waiting.status = 'needs_confirmation'`.execute(db);
  return new Map(rows.map(({ waitingRunId, ...run }) => [run.feedId, { run: runFromRow(run), waitingRunId }]));
}
