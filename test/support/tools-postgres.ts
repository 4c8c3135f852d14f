import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'mocha';
import { findPostmaster, startCluster, stopCluster } from '../../src/db/embedded/cluster.ts';
import { findPrograms } from '../../src/db/embedded/programs.ts';
import { answers } from '../../src/db/embedded/server.ts';
import { databaseAt, type TestDatabase } from './postgres.ts';
import { temporaryFolder } from './process.ts';
import { freePort } from './redis.ts';

/** A Postgres that is installed together with its tools. */
export interface ToolsPostgres {
  /** The folder of `pg_dump`. */
  tools: string;
  createEmptyDatabase(): Promise<TestDatabase>;
  stop(): Promise<void>;
}

/** Where the `PATH` says; Debian's `pg_dump` there stands for all of them, which are elsewhere. */
function findTools(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(':');
  const ofDebian = onPath.some((folder) => existsSync(join(folder, 'pg_dump')))
    ? globSync('/usr/lib/postgresql/*/bin')
    : [];
  return [...ofDebian, ...onPath].find((folder) =>
    ['initdb', 'postgres', 'pg_dump'].every((name) => existsSync(join(folder, name))),
  );
}

/** Starts the Postgres of the machine; the test is pending where it has none. */
export async function startToolsPostgres(test: Context): Promise<ToolsPostgres> {
  const tools = findTools();
  if (!tools) return test.skip();
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
  const port = await freePort();
  startCluster(programs, folder, port, join(home.path, 'log'));
  const urlOf = (database: string) => `postgres://footfall@127.0.0.1:${port}/${database}`;
  while (!(await answers(urlOf('postgres'), ''))) await sleep(50);
  const server = databaseAt(urlOf('postgres'));
  let count = 0;
  return {
    tools,
    async createEmptyDatabase() {
      count += 1;
      await server.query(`create database test_${count}`);
      return databaseAt(urlOf(`test_${count}`));
    },
    async stop() {
      const postmaster = findPostmaster(folder);
      if (postmaster) await stopCluster(folder, postmaster);
      await home.remove();
    },
  };
}
