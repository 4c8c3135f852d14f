import { surviveDatabaseFailures } from '../db/survive-failures.ts';
import type { Log } from '../process/log.ts';
import { describeStartError } from './describe-error.ts';

/** Maximum milliseconds from a signal to the exit. Requests end within 20 s; the rest is for the database. */
const STOP_MS = 45_000;

/** What a process runs until it receives a signal. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * Starts something. On SIGTERM or SIGINT, stops it and exits with 0; if the start fails, prints the reason and exits
 * with 1.
 */
export function runUntilSignal(log: Log, start: () => Promise<Running>): void {
  surviveDatabaseFailures(log);
  const started = start();
  let stopping = false;
  const stop = (signal: string) => {
    // A terminal signals both npm and the service, and npm forwards the signal: once is enough.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'draining');
    setTimeout(() => exit(log, 1, 'not stopped in time'), STOP_MS).unref();
    // A signal during the start is handled after it, so that nothing is left behind.
    started.then((running) => running.stop()).then(() => exit(log, 0, 'stopped'), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  started.catch(fail);
}

/**
 * Waits at most a second for the log, and for nothing else that may keep the process alive, such as a socket to a dead
 * database.
 */
function exit(log: Log, code: number, message: string): void {
  log.info(message);
  log.flush(() => process.exit(code));
}

/** Prints why a command failed and sets its exit code. */
export function fail(error: unknown): void {
  console.error(describeStartError(error));
  process.exit(1);
}
