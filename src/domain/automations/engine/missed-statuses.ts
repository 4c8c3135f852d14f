import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { nextUnread, type ReaderName } from '../../feed/readers.ts';

/**
 * Gives automations the statuses whose entries in the change feed were deleted unread, as events after them are judged by
 * those; all there are where the feed begins anew. Notes that runs were not told of all that may concern them; `now` is in
 * milliseconds.
 */
export async function readMissedStatuses(tx: Sql, { storeId, name }: ReaderName, now: number): Promise<void> {
  await sql`
    update feed_reader set since = ${new Date(now).toISOString()}::timestamptz
    where store_id = ${storeId} and name = ${name}`.execute(tx);
  await sql`
    with oldest as (
      select coalesce(${nextUnread('added_at')}, 'infinity') as added_at
      from feed_reader r
      where r.store_id = ${storeId} and r.name = ${name}
    )
    update automation a
    set read_status = s.status, read_version = s.version
    from (
      select distinct on (automation_id) automation_id, status, version
      from automation_status, oldest
      where store_id = ${storeId} and changed_at < oldest.added_at
      order by automation_id, id desc
    ) s
    where a.store_id = ${storeId} and a.id = s.automation_id`.execute(tx);
}
