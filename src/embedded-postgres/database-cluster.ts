import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../process/start-error.ts';
import type { Programs } from './programs.ts';
import { LOG_SETTINGS, rotateLog } from './server-log.ts';
import { PORT, SOCKET, socketFolderOf } from './socket.ts';

/** Milliseconds for a shutdown, in which Postgres writes what it still has in memory. */
const STOP_TIMEOUT_MS = 20_000;

/** The main process of a running Postgres. */
export interface Postmaster {
  pid: number;
}

/** Settings of a Postgres, by its own names, that replace those of an embedded one. */
export type ServerSettings = Record<string, string | number>;

/** Created under a temporary name, so that an interrupted initdb leaves nothing that looks complete. */
export function initCluster(programs: Programs, folder: string, user: string, password: string): void {
  const draft = `${folder}.new`;
  const passwordFile = `${folder}.initdb`;
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  try {
    const { command, args } = programs.commandLine('initdb', [
      `--pgdata=${draft}`,
      `--username=${user}`,
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
    renameSync(draft, folder);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    throw new StartError(`The embedded Postgres could not be created in ${folder}:\n${stderr ?? message}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Detached, so that Ctrl-C in a terminal reaches only the service, which drains before it stops the database. */
export function startPostgres(
  programs: Programs,
  folder: string,
  logFile: string,
  others: ServerSettings = {},
): ChildProcess {
  const settings = {
    // Not TCP, where every user of the machine could take up its connections.
    listen_addresses: '',
    port: PORT,
    // Quoted: the setting is a list.
    unix_socket_directories: `"${socketFolderOf(folder).replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: 200,
    shared_buffers: `${sharedBuffers()}MB`,
    max_wal_size: '2GB',
    ...LOG_SETTINGS,
    ...others,
  };
  // An earlier start may have had to run it as another user.
  const { owner } = programs;
  if (owner !== undefined && statSync(folder).uid !== owner) execFileSync('chown', ['-R', `${owner}:${owner}`, folder]);
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { command, args } = programs.commandLine('postgres', ['-D', folder, ...options]);
  rotateLog(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  child.on('error', () => {}); // exitCode shows it
  child.unref();
  return child;
}

/** Megabytes: an eighth of the memory, which others on the machine need, too. Postgres takes it only as its data grows. */
function sharedBuffers(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(2048, Math.max(128, bytes / 8 / 1024 ** 2)));
}

/** Shuts down fast: connections are closed, open transactions rolled back; committed data is safe. */
export async function stopPostgres(folder: string, { pid }: Postmaster): Promise<void> {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return; // It has exited by itself.
  }
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (findPostmaster(folder)?.pid === pid) {
    if (performance.now() > deadline) throw new StartError(`The embedded Postgres (process ${pid}) does not stop`);
    await sleep(20);
  }
}

/** The file in which a running Postgres identifies itself. */
const lockFileOf = (folder: string) => join(folder, 'postmaster.pid');

/**
 * Returns the postmaster of a cluster if one is running. Throws if that can't be determined, as its files must not be
 * taken from it.
 */
export function findPostmaster(folder: string): Postmaster | undefined {
  const lines = readIfThere(lockFileOf(folder))?.split('\n');
  if (!lines) return undefined;
  const pid = Number(lines[0]);
  return commandOf(pid)?.includes(folder) ? { pid } : undefined;
}

/**
 * Removes the lock file that a crash left behind: Postgres would not start if another program had its process id by
 * now, as happens when a container restarts. Must not be called while a Postgres starts, whose file may still be empty.
 */
export function removeStaleLock(folder: string): void {
  if (findPostmaster(folder)) return;
  for (const file of [lockFileOf(folder), join(socketFolderOf(folder), `${SOCKET}.lock`)])
    rmSync(file, { force: true });
}

/** Returns the command line of a running process. */
function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim();
  }
  return readIfThere(`/proc/${pid}/cmdline`);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // ESRCH is for a process that exits while it is inspected.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
