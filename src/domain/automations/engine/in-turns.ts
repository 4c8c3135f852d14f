import { isOutage } from '../../../db/driver-errors.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Log } from '../../../process/log.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';

/** One transaction of those that go through customers. */
export interface FillTurn {
  /** Customers whom it may look at. */
  limit: number;
  /** Whether nothing is done about them, as that fails whenever it is tried. */
  passesOver: boolean;
  /** Customers whom it looks at. */
  taken: number;
}

/**
 * Goes through the next customers in one transaction, which moves the place. Where that fails, with fewer of them: one on whom
 * it fails whenever it is tried is logged, `what` says as what, and passed over. `take` returns whether there may be more.
 */
export async function takeInTurns(
  { db, storeId, log, what }: { db: Sql; storeId: string; log: Log; what: string },
  limit: number,
  take: (tx: Sql, turn: FillTurn) => Promise<boolean>,
  passesOver = false,
): Promise<boolean> {
  const turn = { limit, passesOver, taken: 0 };
  try {
    return await retryConflicts(db, () => db.transaction().execute((tx) => take(tx, turn)));
  } catch (error) {
    if (isOutage(error) || turn.taken === 0 || passesOver) throw error;
    const place = { db, storeId, log, what };
    // Somewhere among them is one that fails whenever it is tried; it must not hold up all others.
    if (limit > 1) return await takeInTurns(place, Math.ceil(limit / 10), take);
    log.error({ err: error, store_id: storeId }, `automations passed over ${what} who failed`);
    return await takeInTurns(place, 1, take, true);
  }
}
