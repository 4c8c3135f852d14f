import { EventEmitter, once } from 'node:events';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import { Pool } from 'pg';
import { repeatEvery } from '../concurrency/repeat-every.ts';
import { type Database, SETTINGS_OF_ALL, toStatements } from '../db/orm.ts';
import { limitQueryTime } from '../db/query-timeout.ts';
import { rescueStores } from '../domain/imports/attempts.ts';
import { deleteExpiredJobs, IMPORT_TASK } from '../domain/imports/jobs.ts';
import type { BatchObserver } from '../domain/write/batch-observer.ts';
import type { Log } from '../process/log.ts';
import { ChunkProcessor } from './chunk-processor.ts';
import { StoreRoundRobin } from './store-round-robin.ts';

/** Milliseconds between two looks at the queue, besides the notices that Postgres sends of new entries. */
const POLL_MS = 1_000;
const RESCUE_MS = 2_000;
const DELETE_EXPIRED_MS = 60 * 60 * 1000;
/** Milliseconds for a connection, and for a statement. Without them, a connection that is dead without a sign would hold up the worker for ever. */
const TIMEOUT_MS = 5_000;

export interface WorkerParts {
  databaseUrl: string;
  database: Database;
  /** Jobs that are processed at the same time. */
  concurrency: number;
  log: Log;
  observe: BatchObserver;
}

export interface JobWorker {
  /** Whether its last look at the queue succeeded. */
  readonly available: boolean;
  stop(): Promise<void>;
}

/** Processes jobs of the queue until it is stopped; stopping waits for the chunks in hand, some seconds at most. */
export async function startWorker({
  databaseUrl,
  database: { orm, sql: db },
  concurrency,
  log,
  observe,
}: WorkerParts): Promise<JobWorker> {
  const chunks = new ChunkProcessor({ databaseUrl, concurrency }, log);
  const turns = new StoreRoundRobin({ sql: db, chunks, log, observe });

  async function takeTurn(payload: unknown): Promise<void> {
    // What goes wrong here is the database's fault, and the store comes into the queue again once it is back. The queue
    // itself would try it later and later, and keep the message, which may quote data.
    await turns
      .take((payload as { storeId: string }).storeId)
      .catch((err) => log.warn({ err }, 'turn at bulk jobs interrupted'));
  }

  // Of our own, because graphile-worker does not wait for the end of the connections of its own: one that the database
  // closes meanwhile would be an uncaught error.
  const pool = new Pool({
    connectionString: databaseUrl,
    max: concurrency + 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    keepAlive: true,
    onConnect: async (client) => {
      await client.query(toStatements(SETTINGS_OF_ALL));
    },
  });
  limitQueryTime(pool, TIMEOUT_MS);
  const lost = (err: Error) => log.warn({ err }, 'connection of the job queue lost');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  const events: WorkerEvents = new EventEmitter();
  let available = true;
  const looks = (succeed: boolean) => () => {
    available = succeed;
  };
  events.on('worker:getJob:empty', looks(true)).on('job:start', looks(true)).on('worker:getJob:error', looks(false));
  const looked = firstLook(events);
  looked.catch(() => {}); // it is awaited below
  const runner = await run({
    events,
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval: POLL_MS,
    taskList: { [IMPORT_TASK]: takeTurn },
    logger: new Logger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ worker: message.replace(/".*"/gs, '"…"') }, 'job queue');
    }),
  });
  runner.promise.catch((err) => {
    available = false;
    log.error({ err }, 'job queue stopped');
  });
  try {
    await looked;
  } catch (error) {
    await runner.stop();
    await pool.end();
    throw error;
  }

  const attempt = (what: string, work: () => Promise<void>) => () =>
    work().catch((err) => log.warn({ err }, `${what} failed`));
  const rescue = attempt('rescue of jobs', () => rescueStores(db));
  const deleteExpired = attempt('deletion of expired jobs', () => deleteExpiredJobs(orm.em));
  await deleteExpired();
  const stops = [repeatEvery(RESCUE_MS, rescue), repeatEvery(DELETE_EXPIRED_MS, deleteExpired)];
  return {
    get available() {
      return available;
    },
    async stop() {
      turns.stop();
      await Promise.all(stops.map((stop) => stop()));
      const stopped = runner.stop();
      await chunks.stop();
      await stopped;
      await pool.end();
    },
  };
}

/**
 * The first look at the queue; throws where it fails. graphile-worker keeps what it learns of the tasks then, also that
 * it failed: such a worker would never find a job again.
 */
async function firstLook(events: WorkerEvents): Promise<void> {
  const failed = once(events, 'worker:getJob:error').then(([{ error }]) => {
    throw error;
  });
  await Promise.race([once(events, 'worker:getJob:empty'), once(events, 'job:start'), failed]);
}
