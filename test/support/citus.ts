import { MikroORM } from '@mikro-orm/postgresql';
import type { Context } from 'mocha';
import type { TestDatabase } from './postgres.ts';
import { until } from './process.ts';

/**
 * A database of the coordinator of a Citus cluster that knows all of its nodes, to have the tests run on that cluster,
 * as a superuser. Tests have databases of their own on each node, with few shards.
 */
const URL_VARIABLE = 'CITUS_URL';
const SHARDS = 4;
/** Postgres's code for what can't be done to a database that others use. */
const IN_USE = '55006';

/** The URL of a cluster to run all tests on, if one is given. */
export function clusterUrl(): string | undefined {
  return process.env[URL_VARIABLE];
}

/** The same, for tests that need one; pending where none is given. Call it in `before`. */
export function expectCluster(test: Context): string {
  return clusterUrl() ?? test.skip();
}

interface Node {
  host: string;
  port: number;
  isCoordinator: boolean;
}

/** The nodes of the cluster, the coordinator first. */
async function nodesOf(cluster: string): Promise<Node[]> {
  return await execute<Node>(
    cluster,
    `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node
     where noderole = 'primary' order by groupid`,
  );
}

/** The URL of a database of a node. */
export function urlAt(url: string, { host, port }: Pick<Node, 'host' | 'port'>, database: string): string {
  const at = new URL(url);
  at.hostname = host;
  at.port = String(port);
  at.pathname = `/${database}`;
  return at.href;
}

/** Creates a database on every node, which is a plain one until `addCitus`. */
export async function createOnNodes(cluster: string, name: string, template = 'template1'): Promise<TestDatabase> {
  const nodes = await nodesOf(cluster);
  for (const node of nodes) {
    await execute(urlAt(cluster, node, 'postgres'), `create database ${name} template ${template}`);
  }
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  const drop = async () => {
    await closeKept(url.href);
    for (const node of nodes) await dropOn(urlAt(cluster, node, 'postgres'), name);
  };
  return {
    url: url.href,
    address: { url: url.href, isDistributed: template !== 'template1' },
    query: (statement) => query(url.href, statement),
    partsOf: async (table) => {
      const nodesOfShards = await execute<Omit<Node, 'isCoordinator'> & { names: string[] }>(
        url.href,
        `select nodename as host, nodeport as port, array_agg('${table}_' || shardid) as names
         from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
         where logicalrelid = '${table}'::regclass group by 1, 2`,
      );
      if (nodesOfShards.length === 0) return new Map([[url.href, [table]]]);
      return new Map(nodesOfShards.map((node) => [urlAt(cluster, node, name), node.names]));
    },
    isWaiting: async () => {
      const waiting = nodes.map((node) => isWaiting(urlAt(cluster, node, name)));
      return (await Promise.all(waiting)).includes(true);
    },
    drop,
  };
}

/** Citus itself may be about to connect to a database that was just created. */
async function dropOn(url: string, name: string): Promise<void> {
  const isDropped = async () => {
    try {
      await execute(url, `drop database if exists ${name} with (force)`);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code !== IN_USE) throw error;
      return false;
    }
  };
  await until(isDropped, `${name} is dropped`);
}

/** Makes a database that is on every node one of Citus. */
export async function addCitus(cluster: string, name: string): Promise<void> {
  const nodes = await nodesOf(cluster);
  for (const node of nodes) {
    await execute(urlAt(cluster, node, name), 'create extension citus');
    await execute(urlAt(cluster, node, name), `alter database ${name} set citus.shard_count = ${SHARDS}`);
  }
  const coordinator = nodes.find(({ isCoordinator }) => isCoordinator);
  if (!coordinator) throw new Error(`The database that ${URL_VARIABLE} names has no coordinator`);
  const at = urlAt(cluster, coordinator, name);
  await execute(at, `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
  for (const { host, port, isCoordinator } of nodes) {
    if (!isCoordinator) await execute(at, `select citus_add_node('${host}', ${port})`);
  }
}

/** Keeps a database from being connected to, so that it can be a template; Citus itself has a connection to each. */
export async function closeOnNodes(cluster: string, name: string): Promise<void> {
  for (const node of await nodesOf(cluster)) await closeDatabase(urlAt(cluster, node, 'postgres'), name);
}

/** Ends the connections to a database, and accepts none from now on. */
export async function closeDatabase(url: string, name: string): Promise<void> {
  await execute(url, `alter database ${name} allow_connections false`);
  await execute(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
}

/** Whether any statement on a database of a server waits for a lock. */
export async function isWaiting(url: string): Promise<boolean> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await query(url, waiting)).length > 0;
}

/** Runs a statement on a connection of its own. */
export async function execute<Row>(url: string, statement: string): Promise<Row[]> {
  const orm = open(url, 1);
  try {
    return (await orm.em.getConnection().execute(statement)) as Row[];
  } finally {
    await orm.close(true);
  }
}

/** Connections are closed that nobody has used for so many milliseconds. */
const IDLE_MS = 1_000;
/** For statements that wait for each other. */
const MAX_KEPT = 4;
const kept = new Map<string, MikroORM>();

/** Runs a statement on a connection that is kept for the next one: tests that wait for rows ask for them often. */
export async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const orm = kept.get(url) ?? open(url, MAX_KEPT);
  kept.set(url, orm);
  return (await orm.em.getConnection().execute(statement)) as Row[];
}

/** Closes the connections that are kept to a database. */
export async function closeKept(url: string): Promise<void> {
  const orm = kept.get(url);
  kept.delete(url);
  await orm?.close(true);
}

function open(clientUrl: string, max: number): MikroORM {
  return new MikroORM({
    clientUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max, idleTimeoutMillis: IDLE_MS },
    logger: () => {},
  });
}
