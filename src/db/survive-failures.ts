import type { Log } from '../process/log.ts';
import { isDatabaseError } from './driver-errors.ts';

/** Keeps the process alive where a query fails that nobody waits for any more, as its time was up. */
export function surviveDatabaseFailures(log: Log): void {
  process.on('unhandledRejection', (err) => {
    if (!isDatabaseError(err)) throw err;
    log.warn({ err }, 'the database failed in the background');
  });
}
