import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { expectRoom, missingPart } from '../../imports/files/file-limits.ts';
import { ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { FeedUnavailable } from './fetch.ts';

/**
 * Stores a part of the file of a feed, or replaces it; the file of a run that waits for a confirmation is gone then, and so
 * is its question. Returns whether the store has such a feed. Throws `validation_error` if the feed has a URL or is being
 * read, or for more than there is room for.
 */
export async function putFeedPart(
  db: Sql,
  storeId: string,
  id: string,
  number: number,
  text: string,
): Promise<boolean> {
  const content = Buffer.from(text);
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const feed = await lockFeed(tx, storeId, id);
      if (!feed) return false;
      if (feed.source !== 'file')
        throw new ServiceError('validation_error', 'The feed is read from a URL, and has no file');
      if (feed.isUnderWay)
        throw new ServiceError('validation_error', 'The file is being read; wait until that has ended');
      const { rows: waiting } = await sql`
        update catalog_feed_run set status = 'dismissed'
        where store_id = ${storeId} and feed_id = ${id} and status = 'needs_confirmation' returning id`.execute(tx);
      if (waiting.length > 0) await deleteFile(tx, storeId, id);
      const { rows } = await sql<{ ofFile: number; others: number }>`
        select
          coalesce(sum(bytes) filter (where feed_id = ${id} and number <> ${number}), 0)::float8 as "ofFile",
          coalesce(sum(bytes) filter (where feed_id <> ${id}), 0)::float8 as others
        from catalog_feed_part where store_id = ${storeId}`.execute(tx);
      const [{ ofFile, others }] = rows as [{ ofFile: number; others: number }];
      expectRoom(ofFile + content.length, others, 'The files of feeds that are not read yet are');
      await sql`
        insert into catalog_feed_part (store_id, feed_id, number, bytes, content, put_at)
        values (${storeId}, ${id}, ${number}, ${content.length}, ${content}, now())
        on conflict (store_id, feed_id, number) do update
        set bytes = excluded.bytes, content = excluded.content, put_at = excluded.put_at`.execute(tx);
      return true;
    }),
  );
}

/** Locks a feed; undefined if the store has none of that id. */
export async function lockFeed(tx: Sql, storeId: string, id: string) {
  const { rows } = await sql<{ source: 'url' | 'file'; isUnderWay: boolean }>`
    select source, source = 'file' and (run_id is not null or due_at is not null) as "isUnderWay"
    from catalog_feed where store_id = ${storeId} and id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Makes a file have so many parts. Throws `validation_error` for the first of them that is not there. */
export async function completeFile(tx: Sql, storeId: string, id: string, parts: number): Promise<void> {
  const { rows } = await sql<{ number: number }>`
    select number from catalog_feed_part
    where store_id = ${storeId} and feed_id = ${id} and number <= ${parts}::int order by number`.execute(tx);
  if (rows.length < parts) {
    const gap = rows.findIndex(({ number }, i) => number !== i + 1);
    throw missingPart(gap < 0 ? rows.length + 1 : gap + 1);
  }
  await sql`
    delete from catalog_feed_part
    where store_id = ${storeId} and feed_id = ${id} and number > ${parts}::int`.execute(tx);
}

export async function deleteFile(tx: Sql, storeId: string, id: string): Promise<void> {
  await sql`delete from catalog_feed_part where store_id = ${storeId} and feed_id = ${id}`.execute(tx);
}

/** Reads the file of a feed, a part at a time. Throws `FeedUnavailable` if it is gone, or goes meanwhile: half of it is none. */
export async function* readFile(db: Sql, storeId: string, id: string): AsyncIterable<Buffer> {
  const { rows: parts } = await sql<{ last: number | null }>`
    select max(number) as last from catalog_feed_part where store_id = ${storeId} and feed_id = ${id}`.execute(db);
  const last = parts[0]?.last ?? 1;
  for (let number = 1; number <= last; number += 1) {
    const { rows } = await sql<{ content: Buffer }>`
      select content from catalog_feed_part
      where store_id = ${storeId} and feed_id = ${id} and number = ${number}`.execute(db);
    if (!rows[0]) throw new FeedUnavailable('The file is not there any more: upload it again');
    yield rows[0].content;
  }
}
