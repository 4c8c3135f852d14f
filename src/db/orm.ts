import { Migrator } from '@mikro-orm/migrations';
import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import type { Pool as Connections, Client as PgClient } from 'pg';
import { DATABASE_TIMEOUTS, scaleTimes } from '../process/database-patience.ts';
import { Shards } from './citus/shards.ts';
import { MANAGED } from './entities/managed.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { applySettings, type Pooler } from './pooler.ts';
import { MAX_PREPARED, MAX_PREPARED_OF_SHARDS, prepareStatements } from './prepared-statements.ts';
import { type Client, closeIdle, limitQueryTime, type Pool } from './query-timeout.ts';
import { returnRawJson } from './raw-json.ts';
import type { Sql } from './sql.ts';
import { type StoreData, undivided } from './store-data.ts';
import type { Tables } from './tables.ts';

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

/** A database with an entity manager, on the same connections. */
export interface OrmDatabase extends Database {
  orm: MikroORM;
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

/** Settings of each connection: Postgres's own, by its names for them, and the timeouts of the pool. */
export interface Settings {
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

/** Those of requests that may wait so many seconds for the database. */
export function settingsOfRequests(seconds: number): Settings {
  return { ...SETTINGS_OF_REQUESTS, ...scaleTimes(DATABASE_TIMEOUTS, seconds) };
}

/** A chunk of a bulk job is more work than a request, and no client waits for it. */
export const SETTINGS_OF_JOBS: Settings = {
  ...SETTINGS_OF_REQUESTS,
  statement_timeout: 5_000,
  query_timeout: 6_000,
  idle_in_transaction_session_timeout: 30_000,
};

/**
 * Of what looks for work of all kinds, and of the work at automations, segments and webhooks: these statements ask for the
 * order of one index, and so read that one. To a planner with stale statistics each index of a store looks as good as any
 * other.
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

/** Opens a database for what the entity manager has to do with, too; for nothing of that, to migrate it. */
export async function openOrm(
  address: Address | string,
  poolSize: number,
  settings: Settings = SETTINGS_OF_REQUESTS,
  entities: Entities = MANAGED,
): Promise<OrmDatabase> {
  return open(address, poolSize, settings, entities);
}

type Entities = EntitySchema[];

async function open(
  address: Address | string,
  poolSize: number,
  settings: Settings,
  entities: Entities,
): Promise<OrmDatabase> {
  const { url, isDistributed } = typeof address === 'string' ? { url: address, isDistributed: false } : address;
  // Citus can't plan for parameters that it does not know.
  const own = isDistributed && settings.plan_cache_mode ? { ...settings, plan_cache_mode: 'auto' as const } : settings;
  const connected = await connect(url, poolSize, own, entities, false);
  const { orm, sql, pool } = connected;
  const stores = isDistributed
    ? new Shards(sql, url, async (nodeUrl) => {
        const node = await connect(nodeUrl, poolSize, settings, [], true);
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
