import { setTimeout as sleep } from 'node:timers/promises';
import { isMissingPartition, isRetryable } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/orm.ts';
import { createPartitions } from '../../db/partitions.ts';

const MAX_ATTEMPTS = 8;

/**
 * Runs a unit of work that commits as a whole, and retries it if another transaction interfered (a deadlock, a
 * serialisation failure, a race for a unique key) or a partition was missing.
 */
export async function retryConflicts<Result>(db: Sql, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(isRetryable(error) || isMissingPartition(error))) throw error;
      if (isMissingPartition(error)) await createPartitions(db);
      // Random, so that two transactions that made each other fail do not retry in step.
      await sleep(Math.random() * 5 * attempt);
    }
  }
}
