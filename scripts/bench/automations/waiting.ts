import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../src/db/orm.ts';
import type { Store } from './stage.ts';

export interface Seed {
  count: number;
  stepId: string;
  /** In terms of `n`, the number of the run from 1. */
  dueAt: RawBuilder<unknown>;
  /** Whether they are of the customers of the store, and of nobody otherwise. */
  profiles?: boolean;
}

/** Stores runs that an event has started an hour before they are due, as the service would. */
export async function seedRuns(db: Sql, store: Store, automationId: string, seed: Seed): Promise<void> {
  const { count, stepId, dueAt, profiles = false } = seed;
  const ids = profiles
    ? sql`(select id, row_number() over () as n from profile where store_id = ${store.id}::uuid) p`
    : sql`(select uuidv7() as id, n from generate_series(1, ${count}::int) n) p`;
  await sql`
    insert into automation_run (
      store_id, id, automation_id, version, profile_id, enrolment_key, trigger_id, origin, captured, depth, status,
      step_id, seq, due_at, waiting, consumed, attempts, started_at)
    select ${store.id}::uuid, uuidv7(), ${automationId}::uuid, 1, id, '', event_id,
      jsonb_build_object('id', event_id, 'type', 'event', 'at', 0, 'receivedAt', 0, 'eventId', event_id),
      jsonb_build_object(
        'event', jsonb_build_object('id', event_id, 'eventType', 'started_checkout', 'occurredAt', 0),
        'properties', jsonb_build_object('order_id', 'ord_' || n), 'omitted', jsonb_build_array()),
      0, 'active', ${stepId}::text, 0, due_at, ${sql.lit(stepId === 'hour' ? '{"for": "delay", "since": 0}' : null)}::jsonb,
      array[event_id::uuid], 0, due_at - interval '1 hour'
    from (select p.id, n, ${dueAt} as due_at, uuidv7()::text as event_id from ${ids}) as seed`.execute(db);
  await sql`
    insert into automation_count_new (store_id, id, automation_id, day, metric, name, count)
    values (${store.id}, uuidv7(), ${automationId}, '1970-01-01', 'active', '1', ${count})`.execute(db);
}
