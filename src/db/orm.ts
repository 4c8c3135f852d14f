import { setTimeout as sleep } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { runMigrations } from 'graphile-worker';
import { sql } from 'kysely';
import type { Pool as Connections, Client as PgClient } from 'pg';
import { DATABASE_TIMEOUTS, scaleTimes } from '../process/database-patience.ts';
import type { Telling } from '../process/progress.mjs';
import { StartError } from '../process/start-error.ts';
import { type Distribution, distribute, isDistributed } from './citus/distribute.ts';
import { Shards } from './citus/shards.ts';
import { isDeadlock, isLockTimeout } from './driver-errors.ts';
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
import { Automations } from './migrations/0018-automations.ts';
import { Webhooks } from './migrations/0019-webhooks.ts';
import { WebhookHealth } from './migrations/0020-webhook-health.ts';
import { Lists } from './migrations/0021-lists.ts';
import { CustomerImports } from './migrations/0022-customer-imports.ts';
import { Segments } from './migrations/0023-segments.ts';
import { SegmentTriggers } from './migrations/0024-segment-triggers.ts';
import { SegmentComparisons } from './migrations/0025-segment-comparisons.ts';
import { SegmentPace } from './migrations/0026-segment-pace.ts';
import { HistoricalImports } from './migrations/0027-historical-imports.ts';
import { DoubtfulLines } from './migrations/0028-doubtful-lines.ts';
import { Spellings } from './migrations/0029-spellings.ts';
import { SetAside } from './migrations/0030-set-aside.ts';
import { NamesOfLists } from './migrations/0031-names-of-lists.ts';
import { ChainsOfAutomations } from './migrations/0032-chains-of-automations.ts';
import { ResentAttempts } from './migrations/0033-resent-attempts.ts';
import { KeptAnswers } from './migrations/0034-kept-answers.ts';
import { BackgroundMigrations } from './migrations/0035-background-migrations.ts';
import { WrittenNames } from './migrations/0036-written-names.ts';
import { ProfileUpdates } from './migrations/0037-profile-updates.ts';
import { createPartitions } from './partitions.ts';
import { applySettings, type Pooler } from './pooler.ts';
import { MAX_PREPARED, MAX_PREPARED_OF_SHARDS, prepareStatements } from './prepared-statements.ts';
import { type Client, closeIdle, limitQueryTime, type Pool } from './query-timeout.ts';
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
    { name: '0018-automations', class: Automations },
    { name: '0019-webhooks', class: Webhooks },
    { name: '0020-webhook-health', class: WebhookHealth },
    { name: '0021-lists', class: Lists },
    { name: '0022-customer-imports', class: CustomerImports },
    { name: '0023-segments', class: Segments },
    { name: '0024-segment-triggers', class: SegmentTriggers },
    { name: '0025-segment-comparisons', class: SegmentComparisons },
    { name: '0026-segment-pace', class: SegmentPace },
    { name: '0027-historical-imports', class: HistoricalImports },
    { name: '0028-doubtful-lines', class: DoubtfulLines },
    { name: '0029-spellings', class: Spellings },
    { name: '0030-set-aside', class: SetAside },
    { name: '0031-names-of-lists', class: NamesOfLists },
    { name: '0032-chains-of-automations', class: ChainsOfAutomations },
    { name: '0033-resent-attempts', class: ResentAttempts },
    { name: '0034-kept-answers', class: KeptAnswers },
    { name: '0035-background-migrations', class: BackgroundMigrations },
    { name: '0036-written-names', class: WrittenNames },
    { name: '0037-profile-updates', class: ProfileUpdates },
  ],
  tableName: 'migration',
  snapshot: false,
  // Each in a transaction of its own: what one locks is free before the next begins.
  allOrNothing: false,
};

export type { Sql } from './sql.ts';

export interface Database {
  sql: Sql;
  pool: Pool;
  /** What is between them and Postgres, as far as any has been opened. */
  readonly pooler: Pooler | undefined;
  /** Where the data of stores is, for statements that concern one store. */
  stores: StoreData;
  close(): Promise<void>;
}

/** A database whose entities are known, on the same connections. */
export interface OrmDatabase extends Database {
  orm: MikroORM;
}

/** A database, and whether its tables are distributed by store over the nodes of a cluster. */
export interface Address {
  url: string;
  isDistributed: boolean;
  /** Seconds that a request may wait for it, if not the default. */
  timeout?: number;
}

/**
 * Settings of every connection. Without sequential scans, the planner's cost of small statements looks high enough to
 * compile them, which takes a hundred times as long as running them.
 */
export const SETTINGS_OF_ALL = { jit: 'off' };

/** Settings of each connection: Postgres's own, by its names for them, and the timeouts of the pool. */
interface Settings {
  query_timeout?: number;
  connectionTimeoutMillis?: number;
  lock_timeout?: number;
  statement_timeout?: number;
  idle_in_transaction_session_timeout?: number;
  enable_seqscan?: 'off';
  enable_sort?: 'off';
  plan_cache_mode?: 'force_generic_plan' | 'auto';
}

/**
 * Requests touch few rows, with statements that each connection plans once, whatever their parameters: planning would
 * take a sixth of what a small batch costs Postgres. A plan made while a table was empty must not scan the whole table,
 * however much it grows.
 */
export const SETTINGS_OF_REQUESTS: Settings = {
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

/**
 * Of automations, segments and webhooks, whose statements ask for the order of one index, and so read that one: to a
 * planner with stale statistics each index of a store looks as good as any other.
 */
export const SETTINGS_OF_ENGINES: Settings = { ...SETTINGS_OF_JOBS, enable_sort: 'off' };

/** A replica that takes longer leaves the primary too little of the time that a request has. */
export const SETTINGS_OF_REPLICA: Settings = {
  ...SETTINGS_OF_REQUESTS,
  connectionTimeoutMillis: 300,
  statement_timeout: 1_000,
  query_timeout: 1_200,
};

/** Opens a database for statements alone, which saves the time that it takes to get to know the entities. */
export async function openDatabase(
  address: Address | string,
  poolSize: number,
  settings: Settings = SETTINGS_OF_REQUESTS,
): Promise<Database> {
  return open(address, poolSize, settings, []);
}

/** Opens a database for its entities, too. */
export async function openOrm(
  address: Address | string,
  poolSize: number,
  settings: Settings = SETTINGS_OF_REQUESTS,
): Promise<OrmDatabase> {
  return open(address, poolSize, settings, ENTITIES);
}

type Entities = typeof ENTITIES | [];

async function open(
  address: Address | string,
  poolSize: number,
  settings: Settings,
  entities: Entities,
): Promise<OrmDatabase> {
  const { url, isDistributed, timeout }: Address =
    typeof address === 'string' ? { url: address, isDistributed: false } : address;
  const timed = scaleTimes(settings, timeout);
  // Citus can't plan for parameters that it does not know.
  const own = isDistributed && timed.plan_cache_mode ? { ...timed, plan_cache_mode: 'auto' as const } : timed;
  const connected = await connect(url, poolSize, own, entities, false);
  const { orm, sql, pool } = connected;
  const stores = isDistributed
    ? new Shards(sql, url, async (nodeUrl) => {
        const node = await connect(nodeUrl, poolSize, timed, [], true);
        return { pool: node.pool, close: () => node.orm.close(true) };
      })
    : undivided(sql);
  const close = async () => {
    await stores.close();
    await orm.close(true);
  };
  return {
    orm,
    sql,
    pool,
    stores,
    close,
    get pooler() {
      return connected.pooler;
    },
  };
}

type Connected = Pick<OrmDatabase, 'orm' | 'sql' | 'pooler'> & { pool: Pool & Connections };

/** `pipeline`: to a node with shards; statements are sent without waiting for the response to the one before. */
async function connect(
  url: string,
  poolSize: number,
  { query_timeout: patience, connectionTimeoutMillis, ...settings }: Settings,
  entities: Entities,
  pipeline: boolean,
): Promise<Connected> {
  let pool!: Pool & Connections;
  let pooler: Pooler | undefined;
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis,
      keepAlive: true,
      application_name: 'footfall',
      pipeline,
      onPoolCreated: (created: Pool & Connections) => {
        pool = created;
      },
      // Not as startup parameters, most of which poolers reject.
      onConnect: async (client: PgClient) => {
        returnRawJson(client);
        if (patience !== undefined) limitQueryTime(client as Client, patience, () => closeIdle(pool));
        pooler = await applySettings(client, { ...SETTINGS_OF_ALL, ...settings });
        if (pipeline && pooler)
          throw new Error('The nodes of a cluster can not be behind a pooler in transaction mode');
        const max = pipeline ? MAX_PREPARED_OF_SHARDS : MAX_PREPARED;
        if (pooler?.preparesStatements !== false) prepareStatements(client as Client, max);
      },
    },
    ensureDatabase: false,
    migrations: MIGRATIONS,
    logger: () => {},
  });
  const sql = orm.em.fork().getKysely<Tables>();
  return {
    orm,
    sql,
    pool,
    get pooler() {
      return pooler;
    },
  };
}

/** Milliseconds between two attempts to be the process that migrates, and to get a lock that a migration needs. */
const LOCK_RETRY_MS = 200;
/** Milliseconds that a migration waits for a lock: whoever comes meanwhile waits behind it. */
const LOCK_TIMEOUT_MS = 500;

/**
 * Brings the schema up to date. Several processes may start at once: one migrates, the others wait for it. Without the
 * timeouts of requests, which migrating a large table would exceed. Where the database has Citus, tables are distributed.
 * `telling` is told of it where there is something to migrate.
 */
export async function migrate(
  url: string,
  { telling, ...distribution }: Distribution & { telling?: Telling | undefined } = {},
): Promise<Address> {
  const { orm, sql: db } = await open(url, 3, {}, []);
  try {
    await underLock(db, async () => {
      await expectKnown(db);
      const pending = (await orm.migrator.getPending()).length;
      const up = () => bringUpToDate(url);
      if (pending > 0) await (telling ? telling(`Bringing the schema up to date (${pending} migrations)`, up) : up());
      await runMigrations({ connectionString: url, maxPoolSize: 1 });
      await distribute(db, distribution);
    });
    await createPartitions(db);
    return { url, isDistributed: await isDistributed(db) };
  } finally {
    await orm.close(true);
  }
}

/**
 * Runs the migrations, each in a transaction of its own. One that does not get a lock soon lets those who wait behind it
 * go on, and tries again.
 */
async function bringUpToDate(url: string): Promise<void> {
  const { orm, close } = await open(url, 1, { lock_timeout: LOCK_TIMEOUT_MS }, []);
  try {
    for (;;) {
      try {
        await orm.migrator.up();
        return;
      } catch (error) {
        if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
        await sleep(LOCK_RETRY_MS);
      }
    }
  } finally {
    await close();
  }
}

/**
 * Does some work while no other process migrates the database. The lock is that of a transaction, which a pooler keeps
 * on one connection; those that wait for it hold none, as a pool may have too few for all of them.
 */
async function underLock(db: Sql, work: () => Promise<void>): Promise<void> {
  const tryTo = () =>
    db.transaction().execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('footfall.migrate')) as locked`.execute(tx);
      if (rows[0]?.locked) await work();
      return rows[0]?.locked;
    });
  while (!(await tryTo())) await sleep(LOCK_RETRY_MS);
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
