import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { firstOfStores } from '../../../db/rows.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { AT_ONCE } from './at-once.ts';
import { deleteFile } from './files.ts';
import type { FeedFormat } from './read-records.ts';
import type { RunCounts, RunStatus } from './run.ts';

/** A feed that this process reads. */
export interface ClaimedFeed {
  storeId: string;
  id: string;
  runId: string;
  source: 'url' | 'file';
  /** Encrypted. */
  url: string;
  format: FeedFormat | null;
  currency: string | null;
  etag: string | null;
  lastModified: string | null;
  mayHide: number | null;
  /** Changes with what the feed is. */
  version: string;
}

/** Seconds after which a run that nobody has extended is taken to be interrupted. */
const LEASE_S = 60;
/** Failures after which a feed is read less often, and the longest that it rests, in minutes. */
export const PATIENCE = 5;
const MAX_REST_MINUTES = 24 * 60;

const LEASE = sql`now() + ${sql.lit(LEASE_S)} * interval '1 second'`;
/** When a feed is due again: a tenth sooner or later, so that those of a server are not read at the same time. */
const restAfter = (failures: unknown) => sql`
  case when is_paused or source = 'file' then null else now() + (0.9 + 0.2 * random()) * interval '1 minute' * greatest(
    every_minutes, least(${MAX_REST_MINUTES}::int, every_minutes * power(2, least(greatest(${failures} - ${PATIENCE - 1}::int, 0), 12)))
  ) end`;

/** Finds the stores of one part of the data that have feeds to be read. As much work as there are stores with feeds. */
export async function findStoresWithDueFeeds(db: Sql): Promise<string[]> {
  const first = (where: RawBuilder<unknown>) => sql`
    select store_id, due_at from catalog_feed where due_at is not null and ${where} order by store_id, due_at limit 1`;
  const { rows } = await sql<{ storeId: string }>`
    with recursive ${firstOfStores('head', first)}
    select store_id as "storeId" from head where due_at <= now()`.execute(db);
  return rows.map(({ storeId }) => storeId);
}

/**
 * Claims the feed of a store that is due first, and begins a run; undefined if there is none, or another feed of the store is
 * being read. A run that was interrupted has failed, and another one begins, unless it was the fifth in a row.
 */
export async function claimFeed(db: Sql, storeId: string): Promise<ClaimedFeed | undefined> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<Omit<ClaimedFeed, 'storeId' | 'runId'> & Claimable>`
      select id, source, url, format, currency, etag, last_modified as "lastModified", may_hide as "mayHide", run_id as "former",
        updated_at::text as version,
        coalesce(due_at <= now(), false) as "isDue", failures
      from catalog_feed where store_id = ${storeId}
      order by due_at
      for update`.execute(tx);
    if (rows.some(({ former, isDue }) => former !== null && !isDue)) return undefined;
    for (const { former, isDue, failures, ...feed } of rows) {
      if (!isDue) continue;
      if (former !== null) {
        await endRun(tx, storeId, former, { status: 'failed', error: 'The run was interrupted' });
        if (failures + 1 >= PATIENCE) {
          await sql`
            update catalog_feed set run_id = null, failures = failures + 1, due_at = ${restAfter(sql`failures + 1`)}
            where store_id = ${storeId} and id = ${feed.id}`.execute(tx);
          continue;
        }
      }
      const runId = newId();
      await sql`
        insert into catalog_feed_run (store_id, id, feed_id, status, started_at)
        values (${storeId}, ${runId}, ${feed.id}, 'running', now())`.execute(tx);
      await sql`
        update catalog_feed
        set run_id = ${runId}, due_at = ${LEASE}, failures = failures + ${former === null ? 0 : 1}::int
        where store_id = ${storeId} and id = ${feed.id}`.execute(tx);
      return { storeId, runId, ...feed };
    }
    return undefined;
  });
}

interface Claimable {
  former: string | null;
  isDue: boolean;
  failures: number;
}

/** Keeps a run from being taken over. Returns whether it is still this process's. */
export async function extendClaim(db: Sql, { storeId, id, runId }: ClaimedFeed): Promise<boolean> {
  const { rows } = await sql`
    update catalog_feed set due_at = ${LEASE}
    where store_id = ${storeId} and id = ${id} and run_id = ${runId}
    returning id`.execute(db);
  return rows.length > 0;
}

/** Whatever comes next, it is read whole until it has been: what is written from here on is no longer as that was. */
export async function forgetValidators(db: Sql, { storeId, id, runId }: ClaimedFeed): Promise<void> {
  await sql`
    update catalog_feed set etag = null, last_modified = null
    where store_id = ${storeId} and id = ${id} and run_id = ${runId} and (etag is not null or last_modified is not null)`.execute(
    db,
  );
}

/** A run is no longer that of this process. */
export class ClaimLost extends Error {}

/** Keeps others from taking a run over until the transaction ends. Throws `ClaimLost`. */
export async function expectClaimed(tx: Sql, { storeId, id, runId }: ClaimedFeed): Promise<void> {
  const { rows } = await sql`
    select id from catalog_feed where store_id = ${storeId} and id = ${id} and run_id = ${runId} for share`.execute(tx);
  if (rows.length === 0) throw new ClaimLost();
}

export interface RunEnd {
  status: Exclude<RunStatus, 'running' | 'confirmed' | 'dismissed'>;
  error?: string;
  counts?: RunCounts;
  /** Of a file that is not to be read again. */
  etag?: string | null;
  lastModified?: string | null;
  /** Whether it is the process that ends, so that the feed is due at once. */
  isStopped?: boolean;
}

/** Ends a run of this process, if it still is, and says when the next is due. */
export async function endClaim(
  db: Sql,
  { storeId, id, runId, source, version }: ClaimedFeed,
  end: RunEnd,
): Promise<void> {
  const hasFailed = end.status === 'failed';
  // What the feed is may have changed meanwhile: then it is to be read again.
  const isSame = sql`updated_at::text = ${version}`;
  const isRead = sql`${end.status === 'complete'}::boolean and ${isSame}`;
  const next = end.isStopped ? AT_ONCE : restAfter(hasFailed ? sql`failures + 1` : sql`0`);
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      update catalog_feed set
        run_id = null,
        due_at = case when ${isSame} or source = 'file' then ${next} when not is_paused then ${AT_ONCE} end,
        failures = ${end.isStopped ? sql`failures` : hasFailed ? sql`failures + 1` : sql`0`},
        etag = case when ${isRead} then ${end.etag ?? null}::text else etag end,
        last_modified = case when ${isRead} then ${end.lastModified ?? null}::text else last_modified end,
        may_hide = case when ${hasFailed}::boolean then may_hide end
      where store_id = ${storeId} and id = ${id} and run_id = ${runId}
      returning id`.execute(tx);
    if (rows.length === 0) return;
    await endRun(tx, storeId, runId, end);
    if (source === 'file' && end.status === 'complete') await deleteFile(tx, storeId, id);
  });
}

async function endRun(tx: Sql, storeId: string, runId: string, { status, error, counts }: RunEnd): Promise<void> {
  const ofCounts = counts
    ? sql`records = ${counts.records}::int, created = ${counts.created}::int, updated = ${counts.updated}::int,
        unchanged = ${counts.unchanged}::int, rejected = ${counts.rejected}::int, hidden = ${counts.hidden}::int,
        missing = ${counts.missing}::int,`
    : sql``;
  await sql`
    update catalog_feed_run set ${ofCounts} status = ${status}, error = ${error ?? null}, ended_at = now()
    where store_id = ${storeId} and id = ${runId}`.execute(tx);
}
