import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { canonicalName } from '../canonical/text.ts';
import type { Gone } from './step.ts';

/** An event, and what its idempotency key may be unique within. */
export interface KeyedEvent {
  id: string;
  type: string;
  key: string | null;
  occurred: number;
  source: RawJson | null;
}

/** Of public keys, and of automations: see `idempotencyScope`. */
const [OF_CLIENTS, OF_RUNS] = ['client\n', 'automation run'];

/**
 * Returns the events of a customer that follow a place, `''` for the first ones. What was swept before lies in the index until it is
 * vacuumed, which a long transaction delays: it is not gone through once more for each part.
 */
export async function keyedEvents(
  tx: Sql,
  { storeId, profileId }: Gone,
  after: string,
  limit: number,
): Promise<KeyedEvent[]> {
  const [at, id] = after.split(' ');
  const from = at && id ? sql`and (occurred_at, id) > (${at}::timestamptz, ${id}::uuid)` : sql``;
  const { rows } = await sql<KeyedEvent>`
    select id, event_type as type, idempotency_key as key, (extract(epoch from occurred_at) * 1000)::float8 as occurred,
      case when idempotency_key is not null then source end as source
    from event
    where store_id = ${storeId} and profile_id = ${profileId} ${from}
    order by occurred_at, id
    limit ${limit}`.execute(tx);
  return rows;
}

/** Returns the place after some events; null if they were the last, as far as is known. */
export function placeAfter(events: readonly KeyedEvent[], limit: number): string | null {
  const last = events.at(-1);
  return last && events.length === limit ? `${new Date(last.occurred).toISOString()} ${last.id}` : null;
}

/** Returns what the key of an event may be unique within, among those of its customer. */
export function scopesWithin({ type, source }: KeyedEvent): string[] {
  const { name = type } = (source?.parse<{ name?: string }>() ?? {}) as { name?: string };
  return [canonicalName(name), `${OF_CLIENTS}${canonicalName(name)}`, OF_RUNS];
}
