import { sql } from 'kysely';
import type { Stage, Store } from '../automations/stage.ts';
import { storeHistory } from '../history.ts';

/** Of the events, one in ten has a key of its own. */
const KEYED = sql`right(id::text, 1) in ('7', 'c') and left(right(id::text, 2), 1) < 'd'`;

/** Stores a customer with a year of events, a tenth of which are orders, and returns the id of the profile. */
export async function storeCustomer({ sql: db }: Stage, { id: storeId }: Store, events: number): Promise<string> {
  await storeHistory(db, storeId, { profiles: 1, events });
  await sql`
    with keyed as (
      update event set idempotency_key = id::text where store_id = ${storeId} and ${KEYED}
      returning id, profile_id, event_type
    )
    insert into idempotency_key (store_id, scope, key, event_id)
    select ${storeId}::uuid, profile_id || ' ' || event_type, id::text, id from keyed`.execute(db);
  await sql`vacuum analyze event`.execute(db);
  await sql`vacuum analyze idempotency_key`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from profile where store_id = ${storeId}`.execute(db);
  return (rows[0] as { id: string }).id;
}
