import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { runMigrations } from 'graphile-worker';
import { sql } from 'kysely';
import type { Pool as Connections, PoolClient } from 'pg';
import { DATABASE_TIMEOUTS } from '../process/limits.ts';
import { StartError } from '../process/start-error.ts';
import { type Distribution, distribute, isDistributed } from './citus/distribute.ts';
import { Shards } from './citus/shards.ts';
import { ENTITIES } from './entities/index.ts';
import { Initial } from './migrations/0001-initial.ts';
import { Compatibility } from './migrations/0002-compatibility.ts';
import { ImportJobs } from './migrations/0003-import-jobs.ts';
import { Reading } from './migrations/0004-reading.ts';
import { CountsByDay } from './migrations/0005-counts-by-day.ts';
import { RunningCounts } from './migrations/0006-running-counts.ts';
import { AttemptsAtJobs } from './migrations/0007-attempts-at-jobs.ts';
import { KeyWindows } from './migrations/0008-key-windows.ts';
import { EventsOfAnOrder } from './migrations/0009-events-of-an-order.ts';
import { NamesOfCustomers } from './migrations/0010-names-of-customers.ts';
import { Consent } from './migrations/0011-consent.ts';
import { ReadingJobs } from './migrations/0013-reading-jobs.ts';
import { SourceIds } from './migrations/0014-source-ids.ts';
import { ChangeFeed } from './migrations/0015-change-feed.ts';
import { PublicKeys } from './migrations/0016-public-keys.ts';
import { UpdatedProfiles } from './migrations/0017-updated-profiles.ts';
import { createPartitions } from './partitions.ts';
import { MAX_PREPARED, MAX_PREPARED_OF_SHARDS, prepareStatements } from './prepared-statements.ts';
import { limitQueryTime, type Pool } from './query-timeout.ts';
import { returnRawJson } from './raw-json.ts';
import type { Sql } from './sql.ts';
import { type StoreData, undivided } from './store-data.ts';
import type { Tables } from './tables.ts';

export const MIGRATIONS = {
  migrationsList: [
    { name: '0001-initial', class: Initial },
    { name: '0002-compatibility', class: Compatibility },
    { name: '0003-import-jobs', class: ImportJobs },
    { name: '0004-reading', class: Reading },
    { name: '0005-counts-by-day', class: CountsByDay },
    { name: '0006-running-counts', class: RunningCounts },
    { name: '0007-attempts-at-jobs', class: AttemptsAtJobs },
    { name: '0008-key-windows', class: KeyWindows },
    { name: '0009-events-of-an-order', class: EventsOfAnOrder },
    { name: '0010-names-of-customers', class: NamesOfCustomers },
    { name: '0011-consent', class: Consent },
    { name: '0013-reading-jobs', class: ReadingJobs },
    { name: '0014-source-ids', class: SourceIds },
    { name: '0015-change-feed', class: ChangeFeed },
    { name: '0016-public-keys', class: PublicKeys },
    { name: '0017-updated-profiles', class: UpdatedProfiles },
  ],
  tableName: 'migration',
  snapshot: false,
};

export type { Sql } from './sql.ts';

export interface Database {
  orm: MikroORM;
  sql: Sql;
  /** The connections that both use. */
  pool: Pool;
  /** Where the data of stores is, for statements that concern one store. */
  stores: StoreData;
  close(): Promise<void>;
}

/** A database, and whether its tables are distributed by store over the nodes of a cluster. */
export interface Address {
  url: string;
  isDistributed: boolean;
}

/**
 * Settings of every connection. Without sequential scans, the planner's cost of small statements looks high enough to
 * compile them, which takes a hundred times as long as running them.
 */
export const SETTINGS_OF_ALL = { jit: 'off' };

/** As statements, not as startup parameters, most of which poolers reject. */
export const toStatements = (settings: object): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ');

/** Settings of each connection: Postgres's own, by its names for them, and the timeouts of the pool. */
interface Settings {
  query_timeout?: number;
  connectionTimeoutMillis?: number;
  lock_timeout?: number;
  statement_timeout?: number;
  idle_in_transaction_session_timeout?: number;
  enable_seqscan?: 'off';
  plan_cache_mode?: 'force_generic_plan' | 'auto';
}

/**
 * Requests touch few rows, with statements that each connection plans once, whatever their parameters: planning would
 * take a sixth of what a small batch costs Postgres. A plan made while a table was empty must not scan the whole table,
 * however much it grows.
 */
const SETTINGS_OF_REQUESTS: Settings = {
  ...DATABASE_TIMEOUTS,
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** A chunk of a bulk job is more work than a request, and no client waits for it. */
export const SETTINGS_OF_JOBS: Settings = {
  ...SETTINGS_OF_REQUESTS,
  statement_timeout: 5_000,
  query_timeout: 6_000,
  idle_in_transaction_session_timeout: 30_000,
};

export async function openDatabase(
  address: Address | string,
  poolSize: number,
  settings: Settings = SETTINGS_OF_REQUESTS,
): Promise<Database> {
  const { url, isDistributed } = typeof address === 'string' ? { url: address, isDistributed: false } : address;
  // Citus can't plan for parameters that it does not know.
  const own = isDistributed && settings.plan_cache_mode ? { ...settings, plan_cache_mode: 'auto' as const } : settings;
  const { orm, sql, pool } = await connect(url, poolSize, own, false);
  const stores = isDistributed
    ? new Shards(sql, url, async (nodeUrl) => {
        const node = await connect(nodeUrl, poolSize, settings, true);
        return { pool: node.pool, close: () => node.orm.close(true) };
      })
    : undivided(sql);
  const close = async () => {
    await stores.close();
    await orm.close(true);
  };
  return { orm, sql, pool, stores, close };
}

/** `pipeline`: to a node with shards; statements are sent without waiting for the response to the one before. */
async function connect(
  url: string,
  poolSize: number,
  { query_timeout: patience, connectionTimeoutMillis, ...settings }: Settings,
  pipeline: boolean,
): Promise<{ orm: MikroORM; sql: Sql; pool: Pool & Connections }> {
  const preamble = toStatements({ ...SETTINGS_OF_ALL, ...settings });
  let pool!: Pool & Connections;
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: ENTITIES,
    extensions: [Migrator],
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis,
      keepAlive: true,
      application_name: 'footfall',
      pipeline,
      onPoolCreated: (created: Pool & Connections) => {
        pool = created;
        prepareStatements(created, pipeline ? MAX_PREPARED_OF_SHARDS : MAX_PREPARED);
        returnRawJson(created);
        if (patience !== undefined) limitQueryTime(created, patience);
      },
      onConnect: async (client: PoolClient) => {
        await client.query(preamble);
      },
    },
    ensureDatabase: false,
    migrations: MIGRATIONS,
    logger: () => {},
  });
  const sql = orm.em.fork().getKysely<Tables>();
  return { orm, sql, pool };
}

/**
 * Brings the schema up to date. Several processes may start at once: one migrates, the others wait for it. Without the
 * timeouts of requests, which migrating a large table would exceed. Where the database has Citus, tables are distributed.
 */
export async function migrate(url: string, distribution: Distribution = {}): Promise<Address> {
  const { orm, sql: db } = await openDatabase(url, 3, {});
  try {
    await db.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(hashtext('footfall.migrate'))`.execute(connection);
      await expectKnown(connection);
      await orm.migrator.up();
      await runMigrations({ connectionString: url, maxPoolSize: 1 });
      await distribute(connection, distribution);
      await sql`select pg_advisory_unlock(hashtext('footfall.migrate'))`.execute(connection);
    });
    await createPartitions(db);
    return { url, isDistributed: await isDistributed(db) };
  } finally {
    await orm.close(true);
  }
}

/** Throws if a newer version has migrated the database: what this version relies on may be gone. */
async function expectKnown(db: Sql): Promise<void> {
  const { rows: tables } = await sql`select where to_regclass(${MIGRATIONS.tableName}) is not null`.execute(db);
  if (tables.length === 0) return;
  const { rows } = await sql<{ name: string }>`select name from ${sql.id(MIGRATIONS.tableName)} order by id`.execute(
    db,
  );
  const known = MIGRATIONS.migrationsList.map(({ name }) => name);
  if (rows.every(({ name }) => known.includes(name))) return;
  throw new StartError(
    `The database is of a newer version of Footfall: its schema is at ${rows.at(-1)?.name}, and this version knows it up to ${known.at(-1)}. Start that version, or restore a backup of this one's into an empty database.`,
  );
}
