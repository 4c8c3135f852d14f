import { openDatabase } from './orm.ts';
import { createPartitions, dropPartitions } from './partitions.ts';

/** Milliseconds to wait for a lock: to drop a partition stops the table for a moment, and must not wait in its way. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Creates the partitions of the months to come, and drops those that are older than `retentionDays` (0 keeps all).
 * On a connection of its own, without the timeouts of requests. Answers what was dropped.
 */
export async function maintainPartitions(url: string, retentionDays: number): Promise<string[]> {
  const { orm, sql } = await openDatabase(url, 1, { lock_timeout: LOCK_TIMEOUT_MS });
  try {
    await createPartitions(sql);
    return retentionDays > 0 ? await dropPartitions(sql, retentionDays) : [];
  } finally {
    await orm.close(true);
  }
}
