import type { Context } from 'mocha';
import { findInstalledPostgres, type InstalledPostgres, startInstalledPostgres } from './installed-postgres.ts';
import { databaseAt, type TestDatabase } from './postgres.ts';

/** A Postgres that is installed together with its tools. */
export interface ToolsPostgres {
  /** The folder of `pg_dump`. */
  tools: string;
  /** Process id of its postmaster. */
  pid: number;
  createEmptyDatabase(): Promise<TestDatabase>;
  startStandby(): Promise<InstalledPostgres>;
  stop(): Promise<void>;
}

/** Starts the Postgres of the machine; the test is pending where it has none. */
export async function startToolsPostgres(test: Context): Promise<ToolsPostgres> {
  const tools = findInstalledPostgres();
  if (!tools) return test.skip();
  const { urlOf, pid, startStandby, stop } = await startInstalledPostgres(tools);
  const server = databaseAt(urlOf('postgres'));
  let count = 0;
  return {
    tools,
    pid,
    async createEmptyDatabase() {
      count += 1;
      await server.query(`create database test_${count}`);
      return databaseAt(urlOf(`test_${count}`));
    },
    startStandby,
    stop,
  };
}
