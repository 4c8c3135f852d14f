import { setTimeout as sleep } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { StartError } from '../process/start-error.ts';

const INVALID_PASSWORD = '28P01';
/** Milliseconds for the server to notice that a connection was closed on this side. */
const CLOSING_MS = 1_000;

/** Whether it is ready; a Postgres that is starting refuses connections. */
export async function isAcceptingConnections(url: string, passwordFile: string): Promise<boolean> {
  try {
    await runQuery(url, 'select 1');
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== INVALID_PASSWORD) return false;
    throw new StartError(`The embedded Postgres refuses the password that is in ${passwordFile}`);
  }
}

export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const [row] = await runQuery(adminUrl, `select count(*)::int as n from pg_database where datname = '${name}'`);
  if (row?.n === 0) await runQuery(adminUrl, `create database ${name}`);
}

/**
 * Whether other clients are connected by its URL rather than through its directory. A connection that was just closed
 * is still there for a moment. A server that does not respond counts as having none.
 */
export async function hasClients(url: string): Promise<boolean> {
  const statement = `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  const deadline = performance.now() + CLOSING_MS;
  for (;;) {
    const [row] = await runQuery(url, statement).catch(() => []);
    if (!row?.n) return false;
    if (performance.now() > deadline) return true;
    await sleep(50);
  }
}

/** Runs one statement on a connection of its own. */
async function runQuery(url: string, statement: string): Promise<{ n: number }[]> {
  const orm = new MikroORM({
    clientUrl: url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: 1 },
    driverOptions: { connectionTimeoutMillis: 1_000, query_timeout: 10_000 },
    logger: () => {},
  });
  try {
    return await orm.em.getConnection().execute(statement);
  } finally {
    await orm.close(true);
  }
}
