import { type Address, openDatabase } from './orm.ts';
import { createPartitions, dropPartitions } from './partitions.ts';

/**
 * Milliseconds to wait for a lock: dropping a partition blocks the table briefly, and must not block it while waiting.
 */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Creates the partitions of the coming months, and drops those older than `retentionDays` (0 keeps all), on its own
 * connection without the timeouts of requests. Returns the names of those dropped.
 */
export async function maintainPartitions(address: Address, retentionDays: number): Promise<string[]> {
  const database = await openDatabase(address, 1, { lock_timeout: LOCK_TIMEOUT_MS });
  try {
    await createPartitions(database.sql, { retentionDays });
    return retentionDays > 0 ? await dropPartitions(database, retentionDays) : [];
  } finally {
    await database.close();
  }
}
