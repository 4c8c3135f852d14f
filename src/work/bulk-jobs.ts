import { EventEmitter, once } from 'node:events';
import { extname } from 'node:path';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import { type Client as PgClient, Pool } from 'pg';
import { type Address, type Database, SETTINGS_OF_ALL } from '../db/orm.ts';
import { applySettings } from '../db/pooler.ts';
import { type Client, closeIdle, limitQueryTime } from '../db/query-timeout.ts';
import type { Attempt } from '../domain/imports/bulk/attempts.ts';
import { IMPORT_TASK } from '../domain/imports/bulk/jobs.ts';
import type { BatchObserver } from '../domain/write/batch-observer.ts';
import type { Log } from '../process/log.ts';
import { Thread } from '../threads/thread.ts';
import { type Attempted, type BulkJobsSetup, BulkJobTurns } from './bulk-job-turns.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 1_024;
/** Milliseconds between two polls of the queue, in addition to Postgres's notifications of new entries. */
const POLL_MS = 1_000;
/**
 * Milliseconds for a connection, and for a statement. Without them, a silently dead connection would block the worker
 * forever.
 */
const TIMEOUT_MS = 5_000;

export interface WorkerOptions {
  address: Address;
  database: Database;
  /** Jobs processed concurrently. */
  concurrency: number;
  log: Log;
  observe: BatchObserver;
}

export interface JobWorker {
  /** Whether its last poll of the queue succeeded. */
  readonly available: boolean;
  stop(): Promise<void>;
}

/** Processes queued jobs until it is stopped; stopping waits some seconds at most for the chunks in progress. */
export async function startJobWorker({
  address,
  database,
  concurrency,
  log,
  observe,
}: WorkerOptions): Promise<JobWorker> {
  // Whatever a chunk contains, the process keeps serving and can be stopped. It starts with the first one.
  const thread = new Thread<BulkJobsSetup, Attempt, Attempted>({
    name: 'bulk jobs',
    module: new URL(`./bulk-jobs-thread${extname(import.meta.url)}`, import.meta.url),
    data: { address, concurrency },
    log,
    maxMemory: MAX_MEMORY,
  });
  const turns = new BulkJobTurns({ database, thread, log, observe });

  async function processStore(payload: unknown): Promise<void> {
    // Errors here come from the database, and the store is queued again once it is back. The queue would retry ever
    // later, and store the message, which may quote data.
    await turns
      .processChunksOf((payload as { storeId: string }).storeId)
      .catch((err) => log.warn({ err }, 'turn at bulk jobs interrupted'));
  }

  // Our own pool, because graphile-worker does not await the closing of its own connections: an error on one that the
  // database closes meanwhile would be uncaught.
  const pool = new Pool({
    connectionString: address.url,
    max: concurrency + 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    keepAlive: true,
    onConnect: async (client) => {
      const connection = client as PgClient;
      limitQueryTime(connection as Client, TIMEOUT_MS, () => closeIdle(pool));
      if (await applySettings(connection, SETTINGS_OF_ALL)) listenToNothing(connection as Client);
    },
  });
  const logLostConnection = (err: Error) => log.warn({ err }, 'connection of the job queue lost');
  pool.on('error', logLostConnection);
  pool.on('connect', (client) => client.on('error', logLostConnection));
  const events: WorkerEvents = new EventEmitter();
  let available = true;
  const setAvailable = (succeed: boolean) => () => {
    available = succeed;
  };
  events
    .on('worker:getJob:empty', setAvailable(true))
    .on('job:start', setAvailable(true))
    .on('worker:getJob:error', setAvailable(false));
  const firstPoll = waitForFirstPoll(events);
  firstPoll.catch(() => {}); // awaited below
  const runner = await run({
    events,
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval: POLL_MS,
    taskList: { [IMPORT_TASK]: processStore },
    logger: new Logger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ worker: message.replace(/".*"/gs, '"…"') }, 'job queue');
    }),
  });
  runner.promise.catch((err) => {
    available = false;
    log.error({ err }, 'job queue stopped');
  });
  try {
    await firstPoll;
  } catch (error) {
    await runner.stop();
    await pool.end();
    throw error;
  }

  return {
    get available() {
      return available;
    },
    async stop() {
      turns.stop();
      const stopped = runner.stop();
      await thread.stop();
      await stopped;
      await pool.end();
    },
  };
}

/** Behind a pooler, notifications would reach anybody. What they would tell, the polls find. */
function listenToNothing(client: Client): void {
  const query = client.query.bind(client);
  client.query = (text, ...rest) =>
    typeof text === 'string' && /^(?:un)?listen /i.test(text) ? Promise.resolve() : query(text, ...rest);
}

/**
 * Waits for the first poll of the queue; throws if it fails. graphile-worker caches what it then learns of the tasks,
 * even a failure: such a worker would never find a job again.
 */
async function waitForFirstPoll(events: WorkerEvents): Promise<void> {
  const failed = once(events, 'worker:getJob:error').then(([{ error }]) => {
    throw error;
  });
  await Promise.race([once(events, 'worker:getJob:empty'), once(events, 'job:start'), failed]);
}
