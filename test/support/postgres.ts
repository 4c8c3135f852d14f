import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/db/migrate.ts';
import type { Address } from '../../src/db/orm.ts';
import { openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { addCitus, closeKept, closeOnNodes, clusterUrl, createOnNodes, execute, isWaiting, query } from './citus.ts';
import { startInstalledPostgres } from './installed-postgres.ts';

/** A folder of programs, to have the test run on the Postgres of a distribution: `/usr/lib/postgresql/15/bin`. */
const PROGRAMS = 'TEST_POSTGRES_BIN';
/** Tells the processes of tests where the Postgres of the test run is. */
const URL_VARIABLE = 'TEST_POSTGRES_URL';

/** What Postgres has from 18 on, with which tests make rows. */
const UUIDV7 = `
  create function uuidv7(shift interval default '0') returns uuid language sql volatile as $$
    select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp() + shift) * 1000)::bigint) from 3)
      from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
  $$`;

/** Nothing in it outlives the test run, so nothing has to reach the disk. Tests of crashes have a Postgres of their own. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  shared_buffers: '256MB',
};

let stop: (() => Promise<void>) | undefined;
let count = 0;

/**
 * Starts the Postgres of the test run; its database is the template of those that tests create. A run within a run, by a
 * test, has that of the outer one.
 */
export async function startPostgres(): Promise<void> {
  if (process.env[URL_VARIABLE]) return;
  const programs = process.env[PROGRAMS];
  const cluster = clusterUrl();
  const url = await (cluster ? startOnCluster(cluster) : programs ? startInstalled(programs) : startEmbedded());
  process.env[URL_VARIABLE] = url;
  await migrate(url);
  if (cluster) await closeOnNodes(cluster, new URL(url).pathname.slice(1));
}

async function startEmbedded(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'footfall-test-'));
  const postgres = await openEmbedded(folder, SETTINGS);
  await cheapenLogins(postgres.url);
  stop = async () => {
    await postgres.release();
    await rm(folder, { recursive: true });
  };
  return postgres.url;
}

/** Thousands of connections would each hash the password thousands of times. */
async function cheapenLogins(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await execute(url, `set scram_iterations = 1; alter role ${username} password '${password}'`);
}

/** Its tables are distributed while they are created, as in an installation that begins with Citus. */
async function startOnCluster(cluster: string): Promise<string> {
  const name = `template_of_tests_${process.pid}`;
  const { url, query, drop } = await createOnNodes(cluster, name);
  stop = drop;
  await addCitus(cluster, name);
  await query(UUIDV7);
  return url;
}

async function startInstalled(programs: string): Promise<string> {
  const postgres = await startInstalledPostgres(programs, SETTINGS);
  stop = postgres.stop;
  await execute(postgres.urlOf('postgres'), 'create database template_of_tests');
  const url = postgres.urlOf('template_of_tests');
  await execute(url, UUIDV7);
  return url;
}

export async function stopPostgres(): Promise<void> {
  await stop?.();
}

export interface TestDatabase {
  url: string;
  /** Of a migrated database. */
  address: Address;
  /** Runs a statement as the administrator, on this database. */
  query<Row>(statement: string): Promise<Row[]>;
  /** A table's names by the server that it is on: on a cluster, those of its shards. */
  partsOf(table: string): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Whether any statement waits for a lock, on whichever server. */
  isWaiting(): Promise<boolean>;
  drop(): Promise<void>;
}

/** A migrated database of one's own. */
export function createDatabase(): Promise<TestDatabase> {
  return createFrom(new URL(sharedUrl()).pathname.slice(1));
}

/** A migrated database of one's own on one server, wherever the others are. */
export async function createUndividedDatabase(): Promise<TestDatabase> {
  if (!clusterUrl()) return await createDatabase();
  const database = await createEmptyDatabase();
  await database.query(UUIDV7);
  await migrate(database.url);
  return database;
}

/** A database of one's own, with nothing in it. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom('template0');
}

async function createFrom(template: string): Promise<TestDatabase> {
  count += 1;
  const name = `test_${process.pid}_${count}`;
  const cluster = clusterUrl();
  if (cluster && template !== 'template0') return await createOnNodes(cluster, name, template);
  await query(urlOf('postgres'), `create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(name);
  return {
    url,
    address: { url, isDistributed: false },
    query: (statement) => query(url, statement),
    partsOf: async (table) => new Map([[url, [table]]]),
    isWaiting: () => isWaiting(url),
    drop: async () => {
      await closeKept(url);
      await query(urlOf('postgres'), `drop database ${name} with (force)`);
    },
  };
}

/** A database that is somewhere else, and not the test run's to drop. */
export function databaseAt(url: string): TestDatabase {
  return {
    url,
    address: { url, isDistributed: false },
    query: (statement) => query(url, statement),
    partsOf: async (table) => new Map([[url, [table]]]),
    isWaiting: () => isWaiting(url),
    drop: async () => {},
  };
}

/** The connection URL of a database of the test run's Postgres. */
function urlOf(database: string): string {
  const url = new URL(sharedUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function sharedUrl(): string {
  return process.env[URL_VARIABLE] as string;
}
