import type { Log } from './log.ts';

/** A task that does not reject: that it fails is logged, once until it succeeds again, so that an outage fills no log. */
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
