import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase, type Sql } from '../../src/db/orm.ts';
import { openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { type Scenario, scenarios } from './scenarios.ts';

export interface BenchDatabase {
  url: string;
  folder: string;
  sql: Sql;
  /** Returns the number of rows of a table. */
  count(table: 'event' | 'profile'): Promise<number>;
  close(): Promise<void>;
}

/** Opens the database in the folder to keep, if given, otherwise in a temporary one. */
export async function openBenchDatabase(kept?: string): Promise<BenchDatabase> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'footfall-bench-')));
  const postgres = await openEmbedded(folder);
  await migrate(postgres.url);
  const { sql: db, close } = await openDatabase(postgres.url, 2, {});
  return {
    url: postgres.url,
    folder,
    sql: db,
    count: async (table) => {
      const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.id(table)}`.execute(db);
      return Number(rows[0]?.n);
    },
    close: async () => {
      await close();
      await postgres.release();
      if (!kept) await rm(folder, { recursive: true, force: true });
    },
  };
}

const COPY_ROWS = 100_000;
const COPY_ROWS_PER_COMMIT = 1_000;

interface CopiedEvent {
  event_type: string;
  profile: { email: string };
  properties: object;
  idempotency_key?: string;
}

/**
 * Measures the floor of every write, in rows per second: Postgres copies the events of the bulk load into the same
 * table from a file, committing as often as the bulk operation does. The rows stay: cleaning up deleted ones would be
 * work during the loads.
 */
export async function copyFloor({ sql: db, folder }: BenchDatabase, storeId: string, run: string): Promise<number> {
  const { single } = scenarios(run) as { single: Scenario };
  const now = new Date().toISOString();
  const profiles = new Map<string, string>();
  const files: string[] = [];
  for (let from = 0; from < COPY_ROWS; from += COPY_ROWS_PER_COMMIT) {
    const rows = Array.from({ length: COPY_ROWS_PER_COMMIT }, (_, i) => {
      const event = single.body(from + i) as CopiedEvent;
      const { event_type, properties, profile, idempotency_key = '\\N' } = event;
      const profileId = profiles.get(profile.email) ?? newId();
      profiles.set(profile.email, profileId);
      const values = [storeId, newId(), profileId, event_type, JSON.stringify(properties), idempotency_key, now, now];
      return values.join('\t');
    });
    const file = join(folder, `copy-${from}`);
    await writeFile(file, `${rows.join('\n')}\n`);
    files.push(file);
  }
  await sql`checkpoint`.execute(db);
  const start = performance.now();
  for (const file of files) {
    await sql`copy event (store_id, id, profile_id, event_type, properties, idempotency_key, occurred_at, received_at)
      from ${sql.lit(file)}`.execute(db);
  }
  return COPY_ROWS / ((performance.now() - start) / 1000);
}

const PRELOAD_STEP = 500_000;
const EVENTS_PER_PROFILE = 40;

/** Stores events of other customers, so that the load meets tables and indexes of that size. */
export async function preload({ sql: db }: BenchDatabase, storeId: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += PRELOAD_STEP) {
    const events = Math.min(PRELOAD_STEP, count - from);
    await sql`
      with customer as materialized (
        select uuidv7() as id, n from generate_series(1, ${Math.ceil(events / EVENTS_PER_PROFILE)}::int) n
      ), written_profile as (
        insert into profile (store_id, id, email, attributes, created_at, updated_at)
        select ${storeId}, id, format('preload-%s-%s@example.com', ${from}::int, n), '{}', now(), now() from customer
      ), written_identifier as (
        insert into profile_identifier (store_id, kind, value, profile_id)
        select ${storeId}, 'email', format('preload-%s-%s@example.com', ${from}::int, n), id from customer
      )
      insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select ${storeId}, uuidv7(), customer.id, 'placed_order',
        '{"order_id":"ord_1","value":59.9,"currency":"EUR"}', now(), now()
      from customer, generate_series(1, ${EVENTS_PER_PROFILE}::int)
      limit ${events}`.execute(db);
    process.stderr.write(`\rstored ${from + events} of ${count} events`);
  }
  process.stderr.write('\n');
  // What autovacuum would otherwise do about so many new rows while the loads run.
  await sql`vacuum analyze`.execute(db);
}
