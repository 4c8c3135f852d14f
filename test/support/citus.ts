import { MikroORM } from '@mikro-orm/postgresql';

/**
 * A database of the coordinator of a Citus cluster that knows all of its nodes, to have the tests run on that cluster,
 * as a user who may create databases on each node. Tests have databases of their own, with few shards.
 */
export const CITUS = 'CITUS_URL';

const SHARDS = 4;

interface Node {
  host: string;
  port: number;
  isCoordinator: boolean;
}

/** The nodes of the cluster. */
export async function nodesOf(url: string): Promise<Node[]> {
  return await execute<Node>(
    url,
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

/** Creates a database on every node; without a template, one that is ready to be distributed. */
export async function createOnNodes(url: string, name: string, template?: string): Promise<void> {
  const nodes = await nodesOf(url);
  await Promise.all(
    nodes.map(async (node) => {
      if (template !== undefined) await closeConnections(urlAt(url, node, 'postgres'), template);
      const from = template === undefined ? '' : `template ${template} strategy file_copy`;
      await execute(urlAt(url, node, 'postgres'), `create database ${name} ${from}`);
      if (template !== undefined) return;
      await execute(urlAt(url, node, name), 'create extension citus');
      await execute(urlAt(url, node, 'postgres'), `alter database ${name} set citus.shard_count = ${SHARDS}`);
    }),
  );
  if (template !== undefined) return;
  const [coordinator, ...workers] = nodes.toSorted((a, b) => Number(b.isCoordinator) - Number(a.isCoordinator));
  if (!coordinator) throw new Error(`The database that ${CITUS} names knows no nodes`);
  const at = urlAt(url, coordinator, name);
  await execute(at, `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
  for (const { host, port } of workers) await execute(at, `select citus_add_node('${host}', ${port})`);
}

/** Those of Citus itself: it keeps one to each database with its extension. */
async function closeConnections(url: string, database: string): Promise<void> {
  await execute(url, `alter database ${database} allow_connections false`);
  await execute(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
}

export async function dropOnNodes(url: string, name: string): Promise<void> {
  await Promise.all(
    (await nodesOf(url)).map((node) =>
      execute(urlAt(url, node, 'postgres'), `drop database if exists ${name} with (force)`),
    ),
  );
}

export async function execute<Row>(url: string, statement: string): Promise<Row[]> {
  const orm = new MikroORM({
    clientUrl: url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: 1 },
    logger: () => {},
  });
  try {
    return (await orm.em.getConnection().execute(statement)) as Row[];
  } finally {
    await orm.close(true);
  }
}
