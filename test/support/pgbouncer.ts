import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { temporaryFolder } from './process.ts';
import { TcpProxy } from './proxy.ts';
import { freePort } from './redis.ts';

/** Prepared statements that a connection may have at a time, from the version on that knows of them. */
const MAX_PREPARED = 200;

const [, minor] = /^PgBouncer 1\.(\d+)/.exec(spawnSync('pgbouncer', ['--version']).stdout?.toString() ?? '') ?? [];

/** Numbers of prepared statements that the PgBouncer of the `PATH` can be told to keep: 0, and from 1.21 on more. */
export const PREPARED = Number(minor) >= 21 ? [0, MAX_PREPARED] : [0];

export interface PgBouncer {
  /** The database's URL, by way of it. */
  url: string;
  /** Ends it, and all connections with it, and starts another in its place. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a PgBouncer in transaction mode before a database. The test is pending where there is none. */
export async function startPgBouncer(
  test: Context,
  databaseUrl: string,
  { poolSize, prepared = 0 }: { poolSize: number; prepared?: number },
): Promise<PgBouncer> {
  if (minor === undefined) return test.skip();
  const folder = await temporaryFolder();
  // The socket of the embedded Postgres is its user's alone, and PgBouncer refuses to run as root.
  const proxy = await TcpProxy.start(databaseUrl);
  const [server, port] = [new URL(proxy.url), await freePort()];
  const password = server.password && `password=${server.password}`;
  const file = join(folder.path, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port} user=${server.username} ${password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 1000',
      ...(PREPARED.length > 1 ? [`max_prepared_statements = ${prepared}`] : []),
      ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ].join('\n'),
  );
  chmodSync(folder.path, 0o755);
  const start = async (): Promise<ChildProcess> => {
    const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (line) => {
        log += line;
        if (log.includes('process up')) resolve();
      });
      child.once('exit', () => reject(new Error(`PgBouncer has ended:\n${log}`)));
    });
    return child;
  };
  const end = async (child: ChildProcess) => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  let running = await start();
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async restart() {
      await end(running);
      running = await start();
    },
    async stop() {
      await end(running);
      await proxy.stop();
      await folder.remove();
    },
  };
}
