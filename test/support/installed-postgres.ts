import { execFileSync } from 'node:child_process';
import { existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  findPostmaster,
  type ServerSettings,
  startPostgres,
  stopPostgres,
} from '../../src/embedded-postgres/database-cluster.ts';
import { findPrograms } from '../../src/embedded-postgres/programs.ts';
import { isAcceptingConnections } from '../../src/embedded-postgres/server.ts';
import { PORT, SOCKET, socketFolderOf, socketUrl } from '../../src/embedded-postgres/socket.ts';
import { temporaryFolder } from './process.ts';

/** A running Postgres of those that are installed on the machine, with nothing in it. */
export interface InstalledPostgres {
  /** The connection URL of a database. */
  urlOf(database: string): string;
  /** Process id of its postmaster. */
  pid: number;
  /** Starts a standby of it, which follows it from then on. */
  startStandby(): Promise<InstalledPostgres>;
  stop(): Promise<void>;
}

/** The folder of its programs. Where the `PATH` says; Debian's `pg_dump` there stands for all of them, which are elsewhere. */
export function findInstalledPostgres(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(':');
  const ofDebian = onPath.some((folder) => existsSync(join(folder, 'pg_dump')))
    ? globSync('/usr/lib/postgresql/*/bin')
    : [];
  return [...ofDebian, ...onPath].find((folder) =>
    ['initdb', 'postgres', 'pg_dump'].every((name) => existsSync(join(folder, name))),
  );
}

/** Starts the Postgres of a folder of programs, by default with the settings that the service gives to its own. */
export async function startInstalledPostgres(tools: string, settings: ServerSettings = {}): Promise<InstalledPostgres> {
  const home = await temporaryFolder();
  const folder = join(home.path, 'postgres');
  const programs = findPrograms(tools);
  const { command, args } = programs.commandLine('initdb', [
    `--pgdata=${folder}`,
    '--username=footfall',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
  ]);
  execFileSync(command, args, { stdio: 'ignore' });
  return serve(tools, home, folder, settings);
}

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

async function serve(
  tools: string,
  home: Folder,
  folder: string,
  settings: ServerSettings = {},
): Promise<InstalledPostgres> {
  const programs = findPrograms(tools);
  startPostgres(programs, folder, join(home.path, 'log'), settings);
  const urlOf = (database: string) => socketUrl(folder, 'footfall', '', database);
  while (!(await isAcceptingConnections(urlOf('postgres'), ''))) await sleep(50);
  return {
    urlOf,
    pid: findPostmaster(folder)?.pid as number,
    async startStandby() {
      const own = await temporaryFolder();
      const copy = join(own.path, 'postgres');
      const { command, args } = programs.commandLine('pg_basebackup', [
        `--pgdata=${copy}`,
        `--host=${socketFolderOf(folder)}`,
        `--port=${PORT}`,
        '--username=footfall',
        '--checkpoint=fast',
        '--write-recovery-conf',
      ]);
      execFileSync(command, args, { stdio: 'ignore' });
      // That of the primary's socket.
      rmSync(join(copy, `${SOCKET}.lock`), { force: true });
      return serve(tools, own, copy);
    },
    async stop() {
      const postmaster = findPostmaster(folder);
      if (postmaster) await stopPostgres(folder, postmaster);
      await home.remove();
    },
  };
}
