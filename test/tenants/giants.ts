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

/** The addresses of profiles with attributes of 4.9 MB, made likewise. */
export async function storeGiantProfiles(database: TestDatabase, storeId: string, count: number): Promise<string[]> {
  await database.query(`
    with stored as (
      insert into profile (store_id, id, email, attributes, created_at, updated_at)
      select '${storeId}', uuidv7(), 'giant' || n || '@example.com', attributes, now(), now()
      from generate_series(1, ${count}) n,
        (select jsonb_object_agg('p' || i, repeat('x', 100000)) as attributes from generate_series(1, 49) i) p
      returning id, email
    )
    insert into profile_identifier (store_id, kind, value, profile_id)
    select '${storeId}', 'email', email, id from stored`);
  return Array.from({ length: count }, (_, i) => `giant${i + 1}@example.com`);
}
