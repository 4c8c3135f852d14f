import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { always, type Once } from '../../kept-answers.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../../reading/cursor.ts';
import { invalid, ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { AT_ONCE } from './at-once.ts';
import { FEED_COLUMNS, type Feed, type FeedRow, feedsFromRows } from './feed.ts';
import { completeFile, deleteFile, lockFeed } from './files.ts';
import { checkedFeedUrl, type FeedTools, placeOfUrl, shownOf } from './url.ts';

/** Without a URL, its file is uploaded. */
export type NewFeed = Pick<Feed, 'name' | 'format' | 'currency' | 'everyMinutes' | 'isPaused'> & { url: string | null };
/** What is undefined stays. */
export type FeedChange = {
  [Name in keyof NewFeed]?: Exclude<NewFeed[Name], Name extends 'url' ? null : never> | undefined;
};

/** Feeds of a store. */
export const MAX_FEEDS = 10;

/** Throws `validation_error` for a URL that nothing is read from, or if the store has as many feeds as it may have. */
export async function createFeed(
  db: Sql,
  storeId: string,
  feed: NewFeed,
  { rules, secrets }: Pick<FeedTools, 'rules' | 'secrets'>,
  once: Once<Feed> = always,
): Promise<Feed> {
  const url = feed.url === null ? null : checkedFeedUrl(feed.url, rules);
  const id = newId();
  const [sealed, shown] = url === null ? ['', ''] : [secrets.seal(url, placeOfUrl(storeId, id)), shownOf(url)];
  const isDue = url !== null && !feed.isPaused;
  const create = async (tx: Sql) => {
    // One after the other: they are counted.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.catalog_feeds ${storeId}`}, 0))`.execute(tx);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from catalog_feed where store_id = ${storeId}`.execute(tx);
    if ((rows[0]?.count ?? 0) >= MAX_FEEDS) {
      throw new ServiceError('validation_error', `The store already has ${MAX_FEEDS} feeds; delete one first`);
    }
    await sql`
      insert into catalog_feed
        (store_id, id, name, source, url, url_shown, format, currency, every_minutes, is_paused, due_at, created_at,
          updated_at)
      values (${storeId}, ${id}, ${feed.name}, ${url === null ? 'file' : 'url'}, ${sealed}, ${shown},
        ${feed.format}, ${feed.currency}, ${feed.everyMinutes}::int, ${feed.isPaused}::boolean,
        case when ${isDue}::boolean then ${AT_ONCE} end, now(), now())`.execute(tx);
    return (await findFeed(tx, storeId, id)) as Feed;
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => create(tx))));
}

/** Undefined if the store has no such feed. */
export async function findFeed(db: Sql, storeId: string, id: string): Promise<Feed | undefined> {
  const { rows } = await sql<FeedRow>`
    select ${FEED_COLUMNS} from catalog_feed where store_id = ${storeId} and id = ${id}`.execute(db);
  return (await feedsFromRows(db, storeId, rows))[0];
}

/** Returns the feeds of the store, newest first. */
export async function listFeeds(db: Sql, storeId: string, page: PageRequest): Promise<Page<Feed>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<FeedRow>`
    select ${FEED_COLUMNS} from catalog_feed
    where store_id = ${storeId} and id < ${before}
    order by id desc
    limit ${page.limit + 1}`.execute(db);
  const { items, next } = toPage(rows, page.limit, (row) => row, idCursor);
  return { items: await feedsFromRows(db, storeId, items), next };
}

/**
 * What it is read by changes with its next run, which is at once, and reads all of the file. Undefined if the store has no
 * such feed. Throws `validation_error` for a URL that nothing is read from, and for what files do not have.
 */
export async function updateFeed(
  db: Sql,
  storeId: string,
  id: string,
  change: FeedChange,
  { rules, secrets }: Pick<FeedTools, 'rules' | 'secrets'>,
): Promise<Feed | undefined> {
  const { name, format, currency, everyMinutes, isPaused } = change;
  const url = change.url === undefined ? undefined : checkedFeedUrl(change.url, rules);
  const ofUrl =
    url === undefined ? sql`` : sql`url = ${secrets.seal(url, placeOfUrl(storeId, id))}, url_shown = ${shownOf(url)},`;
  const isReread = [url, format, currency, everyMinutes, isPaused].some((value) => value !== undefined);
  const paused = sql`coalesce(${isPaused ?? null}::boolean, is_paused)`;
  const ofReading = sql`
    etag = null, last_modified = null, failures = 0,
    due_at = case when run_id is not null or source = 'file' then due_at when ${paused} then null else ${AT_ONCE} end,`;
  return await db.transaction().execute(async (tx) => {
    const feed = await lockFeed(tx, storeId, id);
    if (!feed) return undefined;
    if (feed.source === 'file') expectOfFile({ url, every_minutes: everyMinutes, is_paused: isPaused });
    await sql`
      update catalog_feed set
        ${ofUrl} ${isReread ? ofReading : sql``}
        name = coalesce(${name ?? null}::text, name),
        format = case when ${format === undefined}::boolean then format else ${format ?? null}::text end,
        currency = case when ${currency === undefined}::boolean then currency else ${currency ?? null}::text end,
        every_minutes = coalesce(${everyMinutes ?? null}::int, every_minutes),
        is_paused = ${paused},
        updated_at = now()
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    return await findFeed(tx, storeId, id);
  });
}

/** Throws `validation_error` for the first field that is given, and is for feeds with a URL. */
export function expectOfFile(ofUrls: Readonly<Record<string, unknown>>): void {
  const field = Object.keys(ofUrls).find((name) => ofUrls[name] !== undefined);
  if (field !== undefined) throw invalid({ path: [field], problem: 'is for a feed that is read from a URL' });
}

/** Its items stay as they are, and belong to nobody. Undefined if the store has no such feed. */
export async function deleteFeed(
  db: Sql,
  storeId: string,
  id: string,
  once: Once<Feed | undefined> = always,
): Promise<Feed | undefined> {
  const remove = async (tx: Sql) => {
    await lockFeed(tx, storeId, id);
    const feed = await findFeed(tx, storeId, id);
    if (!feed) return undefined;
    // A run in progress ends, as it does not find itself any more.
    await sql`delete from catalog_feed where store_id = ${storeId} and id = ${id}`.execute(tx);
    await deleteFile(tx, storeId, id);
    await sql`
      with gone as (
        delete from catalog_feed_run where store_id = ${storeId} and feed_id = ${id} returning id
      )
      delete from catalog_feed_error where store_id = ${storeId} and run_id in (select id from gone)`.execute(tx);
    return feed;
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => remove(tx))));
}

/**
 * Has it read now, also if it is paused; a run in progress goes on. Undefined if the store has no such feed. Throws
 * `validation_error` if its file has not so many parts.
 */
export async function runFeedNow(db: Sql, storeId: string, id: string, parts?: number): Promise<Feed | undefined> {
  return await db.transaction().execute(async (tx) => {
    const feed = await lockFeed(tx, storeId, id);
    if (!feed) return undefined;
    if (feed.source === 'url' && parts !== undefined)
      throw invalid({ path: ['part_count'], problem: 'is for a feed whose file is uploaded' });
    if (feed.source === 'file' && !feed.isUnderWay) {
      if (parts === undefined)
        throw invalid({ path: ['part_count'], problem: 'is required for a feed whose file is uploaded' });
      await completeFile(tx, storeId, id, parts);
    }
    await sql`
      update catalog_feed set due_at = case when run_id is null then ${AT_ONCE} else due_at end
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    return await findFeed(tx, storeId, id);
  });
}
