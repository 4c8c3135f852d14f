import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { lockItems } from '../write/lock.ts';
import { write } from '../write/write-items.ts';
import { type ClaimedFeed, expectClaimed } from './claim.ts';
import type { SeenIds } from './seen-ids.ts';

/** Items that are looked at together. */
const AT_ONCE = 1_000;
/** Counts the published items of a feed, and those of them that have not come. */
export async function countMissing(
  db: Sql,
  feed: ClaimedFeed,
  seen: SeenIds,
): Promise<{ missing: number; all: number }> {
  let [missing, all] = [0, 0];
  for await (const ids of itemsOf(db, feed)) {
    all += ids.length;
    missing += ids.filter((id) => !seen.has(id)).length;
  }
  return { missing, all };
}

/** Hides the items of a feed that have not come, unless another has written them. Returns how many. */
export async function hideMissing(db: Sql, feed: ClaimedFeed, seen: SeenIds): Promise<number> {
  let hidden = 0;
  for await (const ids of itemsOf(db, feed)) {
    const missing = ids.filter((id) => !seen.has(id));
    if (missing.length === 0) continue;
    hidden += await retryConflicts(db, () => db.transaction().execute((tx) => hide(tx, feed, missing)));
  }
  return hidden;
}

async function hide(tx: Sql, feed: ClaimedFeed, ids: readonly string[]): Promise<number> {
  await expectClaimed(tx, feed);
  await lockItems(tx, feed.storeId, ids);
  const { rows } = await sql<{ id: string }>`
    select i.id
    from unnest(${texts(ids)}::text[]) as w (id)
    cross join lateral (select * from catalog_item where store_id = ${feed.storeId} and id = w.id limit 1) i
    where i.feed_id = ${feed.id} and i.status = 'published'`.execute(tx);
  const fields = { status: 'hidden', hidden_because: 'not_in_feed' } as const;
  await write(
    tx,
    feed.storeId,
    rows.map(({ id }) => ({ id, fields })),
    { feedId: feed.id },
  );
  return rows.length;
}

/** The ids of the published items that a feed has written last. */
async function* itemsOf(db: Sql, { storeId, id: feedId }: ClaimedFeed): AsyncIterable<string[]> {
  let after = '';
  for (;;) {
    const { rows } = await sql<{ id: string; isPublished: boolean }>`
      select id, status = 'published' as "isPublished" from catalog_item
      where store_id = ${storeId} and feed_id = ${feedId} and id > ${after}
      order by feed_id, id limit ${AT_ONCE}`.execute(db);
    yield rows.filter(({ isPublished }) => isPublished).map(({ id }) => id);
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)?.id as string;
  }
}
