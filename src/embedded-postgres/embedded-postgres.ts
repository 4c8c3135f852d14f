import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileLock } from '../process/file-lock.ts';
import type { Log } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import { withFolder } from './data-folder-errors.ts';
import {
  findPostmaster,
  initCluster,
  removeStaleLock,
  type ServerSettings,
  startPostgres,
  stopPostgres,
} from './database-cluster.ts';
import { findPrograms } from './programs.ts';
import { keepRunning } from './restart.ts';
import { ensureDatabase, hasClients, isAcceptingConnections } from './server.ts';
import { rotateLog } from './server-log.ts';
import { socketFolderOf, socketUrl } from './socket.ts';

const USER = 'footfall';
const DATABASE = 'footfall';
/** Milliseconds for a start; after a crash Postgres first replays its log. */
const START_TIMEOUT_MS = 120_000;
/** The first attempts may meet the last processes of a Postgres that was killed. */
const MAX_ATTEMPTS = 3;

export interface EmbeddedPostgres {
  /** Connection URL of the database. */
  url: string;
  /** Process id of the postmaster. */
  pid: number;
  /** Rotates its log if it has grown large. */
  rotateLog(): Promise<void>;
  /** Restarts it whenever it exits, and logs that, until the returned function is called. */
  keepRunning(log: Log): () => Promise<void>;
  /** Stops it unless another process still uses it. */
  release(): Promise<void>;
}

/** The files of a data directory. */
const filesOf = (home: string) => ({
  cluster: join(home, 'postgres'),
  log: join(home, 'postgres.log'),
  password: join(home, 'postgres.password'),
  /** Contains the connection URL, for a person or a second process. */
  url: join(home, 'database-url'),
  /** Locked exclusively while Postgres is created, started or stopped. */
  door: join(home, 'postgres.door.lock'),
  /** Locked, shared, by every process that uses it. */
  users: join(home, 'postgres.users.lock'),
});
type Files = ReturnType<typeof filesOf>;

/**
 * Returns the Postgres of a data directory: the running one (even if left behind by a killed process), or one started
 * here, after creating it if there is none. It listens on a socket that only its owner can use, with a random password
 * kept in the directory, so that its URL never changes. `settings` apply if it is started here.
 */
export async function openEmbedded(dataDir: string, settings: ServerSettings = {}): Promise<EmbeddedPostgres> {
  const home = resolve(dataDir);
  return withFolder(home, () => open(home, settings));
}

async function open(home: string, settings: ServerSettings): Promise<EmbeddedPostgres> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const files = filesOf(home);
  return withExclusiveLock(files, async () => {
    const { url, pid } = await start(files, settings);
    // It hardly ever changes, and a full disk would leave it empty.
    if (!existsSync(files.url) || readFileSync(files.url, 'utf8') !== url)
      writeFileSync(files.url, url, { mode: 0o600 });
    const use = FileLock.try(files.users, 'shared');
    const restartable = {
      isRunning: () => findPostmaster(files.cluster) !== undefined,
      start: () => withExclusiveLock(files, async () => void (await start(files, settings))),
    };
    return {
      url,
      pid,
      rotateLog: async () => rotateLog(files.log),
      keepRunning: (log) => keepRunning('the embedded Postgres', restartable, log),
      release: () => release(files, url, use),
    };
  });
}

/** Whether a data directory has a database, for commands that have no use for a new one. */
export function hasEmbedded(dataDir: string): boolean {
  return existsSync(filesOf(resolve(dataDir)).cluster);
}

/** Whether a URL is that of the data directory's database, which processes of a cluster get from the leader. */
export function isEmbedded(url: string, dataDir: string): boolean {
  return decodeURIComponent(new URL(url).hostname) === socketFolderOf(filesOf(resolve(dataDir)).cluster);
}

async function release(files: Files, url: string, use: FileLock | undefined): Promise<void> {
  use?.release();
  await withExclusiveLock(files, async () => {
    const sole = FileLock.try(files.users, 'exclusive');
    sole?.release();
    const postmaster = findPostmaster(files.cluster);
    if (sole && postmaster && !(await hasClients(url))) await stopPostgres(files.cluster, postmaster);
  });
}

async function withExclusiveLock<T>(files: Files, work: () => Promise<T>): Promise<T> {
  const door = await FileLock.wait(files.door, 'exclusive', START_TIMEOUT_MS);
  if (!door) throw new StartError(`Another process holds the lock of the embedded Postgres (${files.door})`);
  try {
    return await work();
  } finally {
    door.release();
  }
}

async function start(files: Files, settings: ServerSettings): Promise<{ url: string; pid: number }> {
  const password = passwordOf(files);
  const urlOf = (database: string) => socketUrl(files.cluster, USER, password, database);
  let child: ChildProcess | undefined;
  let attempts = 0;
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline; await sleep(25)) {
    const postmaster = findPostmaster(files.cluster);
    if (!postmaster && (!child || hasEnded(child))) {
      if (attempts === MAX_ATTEMPTS) break;
      attempts += 1;
      child = launchPostgres(files, password, settings);
    } else if (postmaster && (await isAcceptingConnections(urlOf('postgres'), files.password))) {
      await ensureDatabase(urlOf('postgres'), DATABASE);
      return { url: urlOf(DATABASE), pid: postmaster.pid };
    }
  }
  throw new StartError(`The embedded Postgres does not start; see ${files.log}`);
}

/** A process that was killed has no exit code. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function launchPostgres({ cluster, log }: Files, password: string, settings: ServerSettings): ChildProcess {
  const programs = findPrograms();
  if (existsSync(cluster)) removeStaleLock(cluster);
  else initCluster(programs, cluster, USER, password);
  return startPostgres(programs, cluster, log, settings);
}

function passwordOf({ password, cluster }: Files): string {
  if (!existsSync(password)) {
    if (existsSync(cluster)) throw new StartError(`The password of the embedded Postgres is missing: ${password}`);
    writeFileSync(`${password}.new`, randomBytes(24).toString('hex'), { mode: 0o600 });
    renameSync(`${password}.new`, password);
  }
  return readFileSync(password, 'utf8');
}
