import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { type KeyedEvent, keyedEvents, placeAfter, scopesWithin } from '../sweeps/keyed-events.ts';
import { BATCH, type Step } from '../sweeps/step.ts';
import type { Merging } from './merge.ts';

/**
 * Moves events, which stay counted as they are, and their idempotency keys. Of a key that both customers have, that of the one
 * who stays is kept: both events are, too.
 */
export const moveEvents: Step<Merging> = async (tx, merging, after) => {
  const { storeId, winnerId } = merging;
  const rows = await keyedEvents(tx, merging, after, BATCH);
  if (rows.length === 0) return { counts: {}, next: null };
  const keys = await moveKeys(tx, merging, rows);
  await sql`
    update event set profile_id = ${winnerId}
    where store_id = ${storeId} and id = any(${uuids(rows.map(({ id }) => id))}::uuid[])`.execute(tx);
  return { counts: { event: rows.length, ...keys }, next: placeAfter(rows, BATCH) };
};

async function moveKeys(
  tx: Sql,
  { storeId, profileId, winnerId }: Merging,
  rows: readonly KeyedEvent[],
): Promise<{ idempotency_key: number; same_key: number }> {
  const keys = rows.flatMap((row) => {
    const { id, key } = row;
    return key === null ? [] : scopesWithin(row).map((within) => ({ id, key, within }));
  });
  if (keys.length === 0) return { idempotency_key: 0, same_key: 0 };
  const { rows: counted } = await sql<{ gone: number; moved: number }>`
    with gone as (
      delete from idempotency_key k
      using unnest(
        ${texts(keys.map(({ within }) => within))}::text[],
        ${texts(keys.map(({ key }) => key))}::text[],
        ${uuids(keys.map(({ id }) => id))}::uuid[]) as w (within, key, id)
      where k.store_id = ${storeId} and k.scope = ${profileId}::text || ' ' || w.within and k.key = w.key
        and k.event_id = w.id
      returning w.within, k.key, k.event_id
    ), moved as (
      insert into idempotency_key (store_id, scope, key, event_id)
      select ${storeId}::uuid, ${winnerId}::text || ' ' || within, key, event_id
      from gone order by within collate "C", key collate "C"
      on conflict do nothing
      returning 1
    )
    select (select count(*)::int from gone) as gone, (select count(*)::int from moved) as moved`.execute(tx);
  const [{ gone, moved }] = counted as [(typeof counted)[number]];
  return { idempotency_key: moved, same_key: gone - moved };
}
