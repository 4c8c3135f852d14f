import type { Log } from './log.ts';

/**
 * Wraps a task so that it never rejects. Logs a failure once until the task succeeds again, so that an outage does not
 * flood the log.
 */
export function logFailuresOnce<Args extends unknown[]>(
  log: Log,
  message: string,
  task: (...args: Args) => Promise<unknown>,
): (...args: Args) => Promise<void> {
  let isFailing = false;
  return (...args) =>
    task(...args).then(
      () => {
        isFailing = false;
      },
      (err) => {
        if (!isFailing) log.warn({ err }, message);
        isFailing = true;
      },
    );
}
