import { isDatabaseError } from '../db/driver-errors.ts';
import type { Log } from '../process/log.ts';
import { describeStartError } from './describe-error.ts';

/** Milliseconds from a signal to the end, at most. Requests end within 10 s; the rest is the database's. */
const STOP_MS = 45_000;

/** What a process runs until it gets a signal. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * A failure of the database that nobody waited for is no reason to end: graphile-worker does not wait for the end of a
 * job to be written down, which fails where the database is away. The job is put into the queue again later.
 */
function survive(log: Log): void {
  process.on('unhandledRejection', (err) => {
    if (!isDatabaseError(err)) throw err;
    log.warn({ err }, 'the database failed in the background');
  });
}

/** Starts something and, on SIGTERM or SIGINT, stops it and exits with 0; a start that fails is explained, with 1. */
export function runUntilSignal(log: Log, start: () => Promise<Running>): void {
  survive(log);
  const started = start();
  let stopping = false;
  const stop = (signal: string) => {
    // A terminal signals npm and the service alike, and npm passes it on: once is enough.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'draining');
    setTimeout(() => exit(log, 1, 'not stopped in time'), STOP_MS).unref();
    // One that comes during the start is heeded after it, so that nothing is left behind.
    started.then((running) => running.stop()).then(() => exit(log, 0, 'stopped'), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  started.catch(fail);
}

/** Waits for the log, a second at most; not for what else may hold the process, such as a socket to a dead database. */
function exit(log: Log, code: number, message: string): void {
  log.info(message);
  log.flush(() => process.exit(code));
}

/** Tells whoever started a command why it failed. */
export function fail(error: unknown): void {
  console.error(describeStartError(error));
  process.exit(1);
}
