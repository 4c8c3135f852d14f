import { type RawBuilder, sql } from 'kysely';
import { HAS_GAP, OLDEST_UNREAD } from '../feed/readers.ts';
import { READER } from './engine/reader.ts';

/**
 * Up to when at least all that was committed is in the members of `s`, a segment of the store, as a timestamp: `-infinity` if
 * nobody knows. Nothing notes it: it follows from what is still to be done, and from the segments that `s` names. What comes first
 * in the feed was begun before all that comes after it was committed; where it is missing, so may be anything.
 */
export function computedThrough(storeId: string): RawBuilder<unknown> {
  return sql`
    least(
      now(), s.stale_since,
      (
        select min(least(n.stale_since, o.stale_since))
        from segment n left join segment o on o.store_id = ${storeId} and o.id = any(n.segment_ids)
        where n.store_id = ${storeId} and n.id = any(s.segment_ids)
      ),
      coalesce((
        select case when ${HAS_GAP} then '-infinity' else coalesce(${OLDEST_UNREAD}, 'infinity') end
        from feed_reader r join feed_head h on h.store_id = r.store_id
        where r.store_id = ${storeId} and r.name = ${READER}
      ), '-infinity'),
      (select due_at from segment_due where store_id = ${storeId} order by due_at limit 1),
      (select since from segment_postponed where store_id = ${storeId} and since is not null order by since limit 1)
    )`;
}
