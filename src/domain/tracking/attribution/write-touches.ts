import { sql } from 'kysely';
import { texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { MAX_WINDOW_DAYS } from '../../senders/message-settings.ts';

/** A person followed a link of a message, or opened it. */
export interface Touch {
  profileId: string;
  messageId: string;
  kind: 'click' | 'open';
  /** In milliseconds. */
  at: number;
}

/** Orders of a customer that one touch may change afterwards, at most. */
const MOST_AFTER = 100;

const profilesOf = (touches: readonly Touch[]) => uuids(touches.map(({ profileId }) => profileId));
const timesOf = (touches: readonly Touch[]) => timestamps(touches.map(({ at }) => new Date(at)));

export async function writeTouches(tx: Sql, storeId: string, touches: readonly Touch[]): Promise<void> {
  if (touches.length === 0) return;
  await sql`
    insert into message_touch (store_id, profile_id, touched_at, message_id, kind)
    select ${storeId}::uuid, *
    from unnest(
      ${profilesOf(touches)}::uuid[], ${timesOf(touches)}::timestamptz[],
      ${uuids(touches.map(({ messageId }) => messageId))}::uuid[], ${texts(touches.map(({ kind }) => kind))}::text[]
    )
    on conflict do nothing`.execute(tx);
}

/** Returns the events of orders that were read before touches which came before them, as it takes a moment to judge a click. */
export async function ordersAfter(tx: Sql, storeId: string, touches: readonly Touch[]): Promise<string[]> {
  if (touches.length === 0) return [];
  const { rows } = await sql<{ eventId: string }>`
    select distinct o.event_id as "eventId"
    from unnest(${profilesOf(touches)}::uuid[], ${timesOf(touches)}::timestamptz[]) as t (profile_id, touched_at)
    cross join lateral (
      select event_id from attribution
      where store_id = ${storeId} and ${exactly('profile_id', 't.profile_id')} and ordered_at >= t.touched_at
        and ordered_at <= t.touched_at + make_interval(hours => ${24 * MAX_WINDOW_DAYS.click}) and is_placed
      order by profile_id, ordered_at limit ${MOST_AFTER}
    ) o`.execute(tx);
  return rows.map(({ eventId }) => eventId);
}
