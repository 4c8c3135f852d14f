import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../process/log.ts';

const CHECK_MS = 500;
/** Maximum milliseconds between two start attempts. */
const MAX_BACKOFF_MS = 30_000;

export interface Restartable {
  isRunning(): boolean;
  start(): Promise<void>;
}

/**
 * Restarts something whenever it has exited, with growing pauses after failed attempts. The returned function stops
 * that.
 */
export function keepRunning(what: string, { isRunning, start }: Restartable, log: Log): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const watch = async () => {
    let backoff = CHECK_MS;
    while (!signal.aborted) {
      await sleep(backoff, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        if (!isRunning()) {
          log.error(`${what} ended, and is started again`);
          await start();
          log.warn(`${what} runs again`);
        }
        backoff = CHECK_MS;
      } catch (err) {
        backoff = Math.min(2 * backoff, MAX_BACKOFF_MS);
        log.error({ err, next_attempt_ms: backoff }, `${what} does not start`);
      }
    }
  };
  const watching = watch();
  return () => {
    stopping.abort();
    return watching;
  };
}
