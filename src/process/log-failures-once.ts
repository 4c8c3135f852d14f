import type { Log } from './log.ts';

/**
 * Wraps a task so that it never rejects. Logs a failure once until the task succeeds again, so that an outage does not
 * flood the log.
 */
export function logFailuresOnce(log: Log, message: string, task: () => Promise<unknown>): () => Promise<void> {
  let isFailing = false;
  return () =>
    task().then(
      () => {
        isFailing = false;
      },
      (err) => {
        if (!isFailing) log.warn({ err }, message);
        isFailing = true;
      },
    );
}
