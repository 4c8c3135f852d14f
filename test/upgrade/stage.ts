import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { partitionStatement } from '../../src/db/partitions.ts';
import type { Client } from '../support/client.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { Command, until } from '../support/process.ts';
import { builtProgram } from '../support/programs.ts';

/** A version before: its migrations end with 0006. */
const SCHEMA = readFileSync(join(import.meta.dirname, 'schema-0006.sql'), 'utf8');
export const STORE = '01936b2e-0000-7000-8000-000000000001';
export const CUSTOMERS = 2_000;

/** Customers, each with an order that all of them have had, and one of their own. */
export const ROWS = `
  insert into store (id, name) values ('${STORE}', 'default');
  insert into profile (store_id, id, email, attributes, created_at, updated_at)
  select '${STORE}', uuidv7(), 'c' || n || '@example.com', json_build_object('first_name', 'Zoë ', 'last_name', 'Ö' || n),
    now(), now() - n * interval '1 minute'
  from generate_series(1, ${CUSTOMERS}) n;
  insert into profile_identifier select store_id, 'email', email, id from profile;
  insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
  select store_id, uuidv7(), id, 'placed_order', json_build_object('order_id', email), now(), now() from profile`;

/** What waits until processes of the version before have ended. */
const IS_LATE = /_former$|^profile_updates$|^webhook_secrets_sealed$/;

/** A database as the version before has filled it. */
export async function createFormerDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  await database.query(SCHEMA);
  for (const month of [-1, 0, 1]) await database.query(partitionStatement(partitionOf(month)));
  await database.query(ROWS);
  return database;
}

/** The name of a partition, so many months from now. */
export function partitionOf(month: number): string {
  const now = new Date();
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month));
  return `event_${from.toISOString().slice(0, 7).replace('-', '_')}`;
}

/** The status of each background migration, by its name. */
export async function statusesOf({ url }: TestDatabase): Promise<Record<string, string>> {
  const program = [builtProgram('scripts/migrations.ts'), 'status', '--json'];
  const { stdout, stderr } = await new Command(process.execPath, program, { DATABASE_URL: url }).ended;
  expect(stderr).to.equal('');
  const states = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return Object.fromEntries(states.map(({ name, status }) => [name, status]));
}

/** What a service says of all of them. */
export async function migrationsOf(client: Client): Promise<string> {
  return (await client.get('/health/ready')).body.migrations;
}

/** Waits until all is complete that takes long, and what waits for processes of the version before to end. */
export async function aDayLater(client: Client, database: TestDatabase): Promise<void> {
  const isLate = async () =>
    Object.entries(await statusesOf(database)).every(([name, status]) => status === 'complete' || IS_LATE.test(name));
  await until(isLate, 'all but what waits is complete');
  await database.query(`update background_migration set taken_until = now() where completed_at is null`);
  await until(async () => (await migrationsOf(client)) === 'complete', 'it is complete');
}
