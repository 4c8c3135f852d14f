import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { NOBODY } from '../../../ids/nobody.ts';
import { type KeyedEvent, keyedEvents, placeAfter, scopesWithin } from '../../sweeps/keyed-events.ts';
import { BATCH, type Step } from '../../sweeps/step.ts';
import { insertCounts } from '../../write/insert.ts';
import type { Erasing } from '../erasure.ts';

/**
 * Deletes events, which are not counted any more; or has them be nobody's, with the value and the currency alone. Their
 * idempotency keys go in either case.
 */
export const sweepEvents: Step<Erasing> = async (tx, erasing, after) => {
  const { storeId } = erasing;
  const rows = await keyedEvents(tx, erasing, after, BATCH);
  if (rows.length === 0) return { counts: {}, next: null };
  const keys = await deleteKeys(tx, erasing, rows);
  if (erasing.events === 'delete') await deleteEvents(tx, storeId, rows);
  else await anonymise(tx, storeId, rows);
  return { counts: { event: rows.length, idempotency_key: keys }, next: placeAfter(rows, BATCH) };
};

async function deleteKeys(tx: Sql, { storeId, profileId }: Erasing, rows: readonly KeyedEvent[]): Promise<number> {
  const keys = rows.flatMap((row) => {
    const { id, key } = row;
    if (key === null) return [];
    return ['', ...scopesWithin(row).map((within) => `${profileId} ${within}`)].map((scope) => ({ id, scope, key }));
  });
  if (keys.length === 0) return 0;
  const { rows: gone } = await sql`
    delete from idempotency_key k
    using unnest(
      ${texts(keys.map(({ scope }) => scope))}::text[],
      ${texts(keys.map(({ key }) => key))}::text[],
      ${uuids(keys.map(({ id }) => id))}::uuid[]) as w (scope, key, id)
    where k.store_id = ${storeId} and k.scope = w.scope and k.key = w.key and k.event_id = w.id
    returning 1`.execute(tx);
  return gone.length;
}

async function deleteEvents(tx: Sql, storeId: string, rows: readonly KeyedEvent[]): Promise<void> {
  await sql`
    delete from event where store_id = ${storeId} and id = any(${uuids(rows.map(({ id }) => id))}::uuid[])`.execute(tx);
  const events = rows.map(({ id, type, occurred }) => ({ id, eventType: type, occurredAt: new Date(occurred) }));
  await insertCounts(storeId, events, sql`true`, -1).execute(tx);
}

async function anonymise(tx: Sql, storeId: string, rows: readonly KeyedEvent[]): Promise<void> {
  // A value that is no number, and a currency that is no code, may say anything.
  await sql`
    update event e
    set profile_id = ${NOBODY}::uuid, source = null, idempotency_key = null, properties = coalesce((
      select json_object_agg(p.key, p.value) from json_each(e.properties) p
      where p.key = 'value' and json_typeof(p.value) = 'number'
        or p.key = 'currency' and json_typeof(p.value) = 'string' and p.value #>> '{}' ~ '^[A-Za-z]{3}$'
    ), '{}')
    where store_id = ${storeId} and id = any(${uuids(rows.map(({ id }) => id))}::uuid[])`.execute(tx);
}
