import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../process/log.ts';

const LOOK_MS = 500;
/** Maximum milliseconds between two start attempts. */
const MAX_BACKOFF_MS = 30_000;

export interface Kept {
  isRunning(): boolean;
  start(): Promise<void>;
}

/**
 * Restarts something whenever it has exited, with growing pauses after failed attempts. The returned function stops
 * that.
 */
export function keepRunning(what: string, { isRunning, start }: Kept, log: Log): () => Promise<void> {
  const leaving = new AbortController();
  const { signal } = leaving;
  const watch = async () => {
    let backoff = LOOK_MS;
    while (!signal.aborted) {
      await sleep(backoff, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        if (!isRunning()) {
          log.error(`${what} ended, and is started again`);
          await start();
          log.warn(`${what} runs again`);
        }
        backoff = LOOK_MS;
      } catch (err) {
        backoff = Math.min(2 * backoff, MAX_BACKOFF_MS);
        log.error({ err, next_attempt_ms: backoff }, `${what} does not start`);
      }
    }
  };
  const watching = watch();
  return () => {
    leaving.abort();
    return watching;
  };
}
