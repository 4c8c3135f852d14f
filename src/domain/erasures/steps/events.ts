import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { canonicalName } from '../../canonical/text.ts';
import { insertCounts } from '../../write/insert.ts';
import { NOBODY } from '../erasure.ts';
import { BATCH, type Erasing, type Step, type Swept } from './step.ts';

interface EventRow {
  id: string;
  type: string;
  key: string | null;
  occurred: number;
  source: RawJson | null;
}

/** Of public keys, and of automations: see `idempotencyScope`. */
const [OF_CLIENTS, OF_RUNS] = ['client\n', 'automation run'];

/**
 * Deletes events, which are not counted any more; or has them be nobody's, with the value and the currency alone. Their
 * idempotency keys go in either case.
 */
export const sweepEvents: Step = async (tx, erasing) => {
  const { storeId, profileId } = erasing;
  const { rows } = await sql<EventRow>`
    select id, event_type as type, idempotency_key as key, (extract(epoch from occurred_at) * 1000)::float8 as occurred,
      case when idempotency_key is not null then source end as source
    from event
    where store_id = ${storeId} and profile_id = ${profileId}
    order by occurred_at, id
    limit ${BATCH}`.execute(tx);
  if (rows.length === 0) return { counts: {}, next: null };
  const keys = await deleteKeys(tx, erasing, rows);
  if (erasing.events === 'delete') await deleteEvents(tx, storeId, rows);
  else await anonymise(tx, storeId, rows);
  return swept(rows.length, keys);
};

function swept(events: number, keys: number): Swept {
  return { counts: { event: events, idempotency_key: keys }, next: events === BATCH ? 'more' : null };
}

async function deleteKeys(tx: Sql, { storeId, profileId }: Erasing, rows: readonly EventRow[]): Promise<number> {
  const keys = rows.flatMap((row) => {
    const { id, type, key, source } = row;
    if (key === null) return [];
    const { name = type } = (source?.parse<{ name?: string }>() ?? {}) as { name?: string };
    const own = [canonicalName(name), `${OF_CLIENTS}${canonicalName(name)}`, OF_RUNS];
    return ['', ...own.map((within) => `${profileId} ${within}`)].map((scope) => ({ id, scope, key }));
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

async function deleteEvents(tx: Sql, storeId: string, rows: readonly EventRow[]): Promise<void> {
  await sql`
    delete from event where store_id = ${storeId} and id = any(${uuids(rows.map(({ id }) => id))}::uuid[])`.execute(tx);
  const events = rows.map(({ id, type, occurred }) => ({ id, eventType: type, occurredAt: new Date(occurred) }));
  await insertCounts(storeId, events, sql`true`, -1).execute(tx);
}

async function anonymise(tx: Sql, storeId: string, rows: readonly EventRow[]): Promise<void> {
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
