import { sql } from 'kysely';
import { integers, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';

/** Events of one customer that are read again and again without a pause. */
const FEW_EVENTS = 250;
/** Milliseconds of pause for each event: to read one takes some microseconds. And the longest pause. */
const [PAUSE_MS, MAX_PAUSE_MS] = [6, 60_000];

/** Has customers left alone for a while of whom many events were read: `events` says how many, by their ids. */
export async function pauseLarge(
  tx: Sql,
  storeId: string,
  events: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  const large = [...events].filter(([, count]) => count > FEW_EVENTS);
  if (large.length === 0) return;
  const until = large.map(([, count]) => new Date(now + Math.min(MAX_PAUSE_MS, count * PAUSE_MS)));
  await sql`
    insert into segment_postponed (store_id, profile_id, events, not_before)
    select ${storeId}::uuid, * from unnest(
      ${uuids(large.map(([id]) => id))}::uuid[],
      ${integers(large.map(([, count]) => count))}::int[],
      ${timestamps(until)}::timestamptz[])
    on conflict (store_id, profile_id) do update
    set events = excluded.events, not_before = excluded.not_before`.execute(tx);
}
