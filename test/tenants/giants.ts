import type { TestDatabase } from '../support/postgres.ts';

/**
 * Stores events of 4.9 MB that take little room in the database, as `json` of a letter that is repeated does. Their
 * idempotency keys are `giant1` and so on.
 */
export async function storeGiants(database: TestDatabase, storeId: string, count: number): Promise<void> {
  await database.query(`
    with stored as (
      insert into event
        (store_id, id, profile_id, event_type, properties, idempotency_key, occurred_at, received_at)
      select '${storeId}', uuidv7(), '${storeId}', 'giant', properties, 'giant' || n, now() - n * interval '1 s', now()
      from generate_series(1, ${count}) n,
        (select json_object_agg('p' || i, repeat('x', 100000)) as properties from generate_series(1, 49) i) p
      returning id, idempotency_key
    )
    insert into idempotency_key (store_id, scope, key, event_id)
    select '${storeId}', '', idempotency_key, id from stored`);
}
