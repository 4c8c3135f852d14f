import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Context } from 'mocha';

export interface TestRedis {
  url: string;
  stop(): Promise<void>;
  /** Starts it again where it was, after it was stopped. */
  restart(): Promise<TestRedis>;
  signal(name: NodeJS.Signals): void;
}

/** The one that `startRedis` had to start. */
let started: TestRedis | undefined;

const installed = () => spawnSync('redis-server', ['--version']).status === 0;

/** Has a `REDIS_URL` in the environment: the one that is there, else that of a `redis-server` of the `PATH`. CI must have one. */
export async function startRedis(): Promise<void> {
  if (process.env.REDIS_URL) return;
  if (installed()) {
    started = await spawnRedis();
    process.env.REDIS_URL = started.url;
  } else if (process.env.CI) throw new Error('CI needs a redis-server on the PATH, or REDIS_URL');
}

export async function stopRedis(): Promise<void> {
  await started?.stop();
}

/** The Redis of the test run; a test that needs one is pending where there is none. Call it in `before`. */
export function redisUrl(test: Context): string {
  return process.env.REDIS_URL ?? test.skip();
}

/** A Redis of one's own, for tests that stop it. Pending where there is no `redis-server`. */
export async function ownRedis(test: Context): Promise<TestRedis> {
  requireRedis(test);
  return spawnRedis();
}

/** Makes a test pending where there is no `redis-server`. */
export function requireRedis(test: Context): void {
  if (!installed()) test.skip();
}

/** Starts one on the given port, or a free one, with further options. */
export async function spawnRedis(port?: number, options: readonly string[] = []): Promise<TestRedis> {
  const chosen = port ?? (await freePort());
  const args = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options];
  const child: ChildProcess = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  for await (const chunk of child.stdout as NodeJS.ReadableStream) {
    output += chunk;
    if (output.includes('Ready to accept connections')) break;
  }
  const exited = once(child, 'exit');
  return {
    url: `redis://127.0.0.1:${chosen}`,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    restart: () => spawnRedis(chosen, options),
    signal: (name) => child.kill(name),
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
