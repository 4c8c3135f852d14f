import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import { compatSurface } from './compat/index.ts';
import type { Config } from './config.ts';
import { type EmbeddedPostgres, openEmbedded } from './db/embedded.ts';
import { maintainPartitions } from './db/maintenance.ts';
import { type Database, migrate, openDatabase } from './db/orm.ts';
import { ApiKeys } from './domain/api-keys.ts';
import { ensureStore } from './domain/stores.ts';
import { Recorder } from './domain/write/recorder.ts';
import { drainable } from './http/drain.ts';
import { startWorker } from './jobs/worker.ts';
import { MemoryWindow } from './limits/memory-window.ts';
import { RedisWindow } from './limits/redis-window.ts';
import type { Log } from './log.ts';
import { nativeSurface } from './native/index.ts';
import { StartError } from './start-error.ts';

export const DEFAULT_STORE = 'default';

/** Milliseconds between two writings of when keys were last used. */
const LAST_USED_FLUSH_MS = 5_000;
const MAINTENANCE_MS = 6 * 60 * 60 * 1000;

export interface Service {
  /** Where it listens: `http://127.0.0.1:3000`. */
  url: string;
  keys: ApiKeys;
  database: Database;
  /** Stops accepting, lets the requests under way end, and closes everything. */
  stop(): Promise<void>;
}

/** Releases what was opened, in reverse order. */
class Releasers {
  readonly #releasers: (() => unknown)[] = [];

  push(release: () => unknown): void {
    this.#releasers.push(release);
  }

  async release(): Promise<void> {
    for (let next = this.#releasers.pop(); next; next = this.#releasers.pop()) await next();
  }
}

/** Opens what the configuration names, and serves. What was opened before a failure is released again. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const releasers = new Releasers();
  try {
    return await open(config, log, releasers);
  } catch (error) {
    await releasers.release();
    throw error;
  }
}

async function open(config: Config, log: Log, releasers: Releasers): Promise<Service> {
  const databaseUrl = await openPostgres(config, releasers);
  await migrate(databaseUrl);
  const database = await openDatabase(databaseUrl, config.databasePoolSize);
  releasers.push(() => database.orm.close(true));
  await ensureStore(database, DEFAULT_STORE);

  const keys = new ApiKeys(database);
  const flushLastUsed = () => keys.flushLastUsed().catch((err) => log.warn({ err }, 'last use of keys not written'));
  releasers.push(flushLastUsed);
  every(LAST_USED_FLUSH_MS, flushLastUsed, releasers);
  const maintain = () =>
    maintainPartitions(databaseUrl, config.eventRetentionDays).then(
      (dropped) => dropped.length > 0 && log.info({ dropped }, 'expired events dropped'),
      (err) => log.error({ err }, 'partitions not maintained'),
    );
  every(MAINTENANCE_MS, maintain, releasers);
  if (config.eventRetentionDays > 0) await maintain();

  const redis = config.redisUrl ? await RedisWindow.open(config.redisUrl, log) : undefined;
  if (redis) releasers.push(() => redis.close());

  if (config.workerConcurrency > 0) {
    const worker = { databaseUrl, sql: database.sql, concurrency: config.workerConcurrency, log };
    releasers.push(await startWorker(worker));
  }

  const recorder = new Recorder(database.sql);
  let draining = false;
  const app = createApp({
    config,
    log,
    keys,
    window: redis ?? new MemoryWindow(),
    health: { sql: database.sql, redis, isDraining: () => draining },
    surfaces: [await nativeSurface(recorder), await compatSurface(recorder, database.sql, config.compatAuthSchemes)],
  });
  const server = createServer(app.callback());
  const drain = drainable(server);
  await listen(server, config);
  releasers.push(drain);

  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const stop = () => {
    draining = true;
    return releasers.release();
  };
  return { url: `http://${host}:${port}`, keys, database, stop };
}

async function openPostgres(config: Config, releasers: Releasers): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  const postgres: EmbeddedPostgres = await openEmbedded(config.dataDir);
  releasers.push(() => postgres.release());
  return postgres.url;
}

function every(ms: number, task: () => unknown, releasers: Releasers): void {
  const timer = setInterval(task, ms).unref();
  releasers.push(() => clearInterval(timer));
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'another process listens there' : message;
      reject(new StartError(`Can't listen on port ${port} of ${host}: ${reason}. Set PORT or HOST.`));
    });
    server.listen(port, host, resolve);
  });
}
