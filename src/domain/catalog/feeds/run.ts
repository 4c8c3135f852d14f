import { sql } from 'kysely';

export type RunStatus =
  | 'running'
  | 'complete'
  | 'unchanged'
  | 'needs_confirmation'
  | 'confirmed'
  | 'dismissed'
  | 'failed';

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

export interface RunRow extends Omit<FeedRun, 'startedAt' | 'endedAt'> {
  started: number;
  ended: number | null;
  candidates?: never;
}

/** Of `catalog_feed_run`. */
export const RUN_COLUMNS = sql`
  id, feed_id as "feedId", status, records, created, updated, unchanged, rejected, hidden, missing, error,
  (extract(epoch from started_at) * 1000)::float8 as started, (extract(epoch from ended_at) * 1000)::float8 as ended`;

export function runFromRow({ started, ended, ...run }: RunRow): FeedRun {
  return { ...run, startedAt: new Date(started), endedAt: ended === null ? null : new Date(ended) };
}
