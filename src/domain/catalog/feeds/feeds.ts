import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { HIGHEST_ID, newId } from '../../../ids/uuid-v7.ts';
import { always, type Once } from '../../kept-answers.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../../reading/cursor.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { invalid, ServiceError } from '../../service-error.ts';
import { problemOfUrl, type UrlRules } from '../../webhooks/endpoints/url.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { AT_ONCE } from './at-once.ts';
import type { FeedFormat } from './read-records.ts';

/** A file at a URL that says what a store sells, and is read every so often. */
export interface Feed {
  id: string;
  name: string;
  /** What of its URL may be seen: it may have a token. */
  urlShown: string;
  format: FeedFormat | null;
  currency: string | null;
  everyMinutes: number;
  isPaused: boolean;
  isRunning: boolean;
  /** Runs that have failed since one has not. */
  failures: number;
  /** Null if it is paused. */
  nextRunAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export type NewFeed = Pick<Feed, 'name' | 'format' | 'currency' | 'everyMinutes' | 'isPaused'> & { url: string };
/** A URL that is undefined stays. */
export type FeedChange = Omit<NewFeed, 'url'> & { url: string | undefined };

export interface FeedTools {
  rules: UrlRules;
  secrets: Secrets;
}

/** Feeds of a store. */
export const MAX_FEEDS = 10;

interface Row extends Omit<Feed, 'nextRunAt' | 'createdAt' | 'updatedAt'> {
  next: number | null;
  createdMs: number;
  updatedMs: number;
  candidates?: never;
}

const COLUMNS = sql`
  id, name, url_shown as "urlShown", format, currency, every_minutes as "everyMinutes", is_paused as "isPaused",
  run_id is not null as "isRunning", failures,
  (extract(epoch from case when is_paused or run_id is not null then null else due_at end) * 1000)::float8 as next,
  (extract(epoch from created_at) * 1000)::float8 as "createdMs",
  (extract(epoch from updated_at) * 1000)::float8 as "updatedMs"`;

function fromRow({ next, createdMs, updatedMs, ...feed }: Row): Feed {
  const [createdAt, updatedAt] = [new Date(createdMs), new Date(updatedMs)];
  return { ...feed, nextRunAt: next === null ? null : new Date(next), createdAt, updatedAt };
}

/** Throws `validation_error` for a URL that nothing is read from, or if the store has as many feeds as it may have. */
export async function createFeed(
  db: Sql,
  storeId: string,
  feed: NewFeed,
  { rules, secrets }: FeedTools,
  once: Once<Feed> = always,
): Promise<Feed> {
  const url = checkedFeedUrl(feed.url, rules);
  const id = newId();
  const create = async (tx: Sql) => {
    // One after the other: they are counted.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.catalog_feeds ${storeId}`}, 0))`.execute(tx);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from catalog_feed where store_id = ${storeId}`.execute(tx);
    if ((rows[0]?.count ?? 0) >= MAX_FEEDS) {
      throw new ServiceError('validation_error', `The store already has ${MAX_FEEDS} feeds; delete one first`);
    }
    const { rows: created } = await sql<Row>`
      insert into catalog_feed
        (store_id, id, name, url, url_shown, format, currency, every_minutes, is_paused, due_at, created_at, updated_at)
      values (${storeId}, ${id}, ${feed.name}, ${secrets.seal(url, placeOfUrl(storeId, id))}, ${shownOf(url)},
        ${feed.format}, ${feed.currency}, ${feed.everyMinutes}::int, ${feed.isPaused}::boolean,
        case when ${feed.isPaused}::boolean then null else ${AT_ONCE} end, now(), now())
      returning ${COLUMNS}`.execute(tx);
    return fromRow(created[0] as Row);
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => create(tx))));
}

/** Undefined if the store has no such feed. */
export async function findFeed(db: Sql, storeId: string, id: string): Promise<Feed | undefined> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from catalog_feed where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns the feeds of the store, newest first. */
export async function listFeeds(db: Sql, storeId: string, page: PageRequest): Promise<Page<Feed>> {
  const before = page.cursor === undefined ? HIGHEST_ID : readIdCursor(page.cursor);
  const { rows } = await sql<Row>`
    select ${COLUMNS} from catalog_feed
    where store_id = ${storeId} and id < ${before}
    order by id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, fromRow, idCursor);
}

/** What it is read by changes with its next run, which reads all of the file. Undefined if the store has no such feed. */
export async function updateFeed(
  db: Sql,
  storeId: string,
  id: string,
  change: FeedChange,
  { rules, secrets }: FeedTools,
): Promise<Feed | undefined> {
  const url = change.url === undefined ? undefined : checkedFeedUrl(change.url, rules);
  const ofUrl =
    url === undefined ? sql`` : sql`url = ${secrets.seal(url, placeOfUrl(storeId, id))}, url_shown = ${shownOf(url)},`;
  const { rows } = await sql<Row>`
    update catalog_feed set
      name = ${change.name}, ${ofUrl} format = ${change.format}, currency = ${change.currency},
      every_minutes = ${change.everyMinutes}::int, is_paused = ${change.isPaused}::boolean,
      etag = null, last_modified = null, failures = 0,
      due_at = case when run_id is not null then due_at when ${change.isPaused}::boolean then null else ${AT_ONCE} end,
      updated_at = now()
    where store_id = ${storeId} and id = ${id}
    returning ${COLUMNS}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Its items stay as they are, and belong to nobody. Undefined if the store has no such feed. */
export async function deleteFeed(
  db: Sql,
  storeId: string,
  id: string,
  once: Once<Feed | undefined> = always,
): Promise<Feed | undefined> {
  const remove = async (tx: Sql) => {
    const { rows } = await sql<Row>`
      delete from catalog_feed where store_id = ${storeId} and id = ${id} returning ${COLUMNS}`.execute(tx);
    if (!rows[0]) return undefined;
    // A run in progress ends, as it does not find itself any more.
    await sql`
      with gone as (
        delete from catalog_feed_run where store_id = ${storeId} and feed_id = ${id} returning id
      )
      delete from catalog_feed_error where store_id = ${storeId} and run_id in (select id from gone)`.execute(tx);
    return fromRow(rows[0]);
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => remove(tx))));
}

/** Has it read now, also if it is paused; a run in progress goes on. Undefined if the store has no such feed. */
export async function runFeedNow(db: Sql, storeId: string, id: string): Promise<Feed | undefined> {
  const { rows } = await sql<Row>`
    update catalog_feed set due_at = case when run_id is null then ${AT_ONCE} else due_at end
    where store_id = ${storeId} and id = ${id}
    returning ${COLUMNS}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

export const placeOfUrl = (storeId: string, id: string) => ['catalog_feed', storeId, id, 'url'];

/** Returns a URL as it is called. Throws `validation_error` if nothing is read from it. */
export function checkedFeedUrl(text: string, rules: UrlRules): string {
  const url = URL.parse(text);
  const hasUser = url && (url.username || url.password);
  const problem = hasUser ? 'must have no user name and password' : problemOfUrl(text, rules);
  if (problem) throw invalid({ path: ['url'], problem });
  return (url as URL).href;
}

/** The path may have a token as well as what follows it. */
function shownOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/…`;
}
