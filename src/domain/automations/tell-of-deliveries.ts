import { isDatabaseError } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/sql.ts';
import { tellRunIn } from './run-actions.ts';
import type { VersionCache } from './stored/version-cache.ts';

/** What has become of a delivery that a run waits for. */
export interface DeliveryOfRun {
  runId: string;
  seq: number;
  result: 'delivered' | 'failed' | 'expired';
}

/** Lets runs go on that wait for deliveries, within a transaction; always in the same order, as it locks them. */
export async function tellOfDeliveries(
  tx: Sql,
  storeId: string,
  deliveries: readonly DeliveryOfRun[],
  versions: VersionCache,
): Promise<void> {
  const inOrder = deliveries.toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
  for (const delivery of inOrder) await tell(tx, storeId, delivery, versions);
}

/** A fault of ours fails the step of the run: else nothing would be recorded, and all would be sent again for ever. */
async function tell(tx: Sql, storeId: string, delivery: DeliveryOfRun, versions: VersionCache): Promise<void> {
  try {
    await tellRunIn(tx, storeId, { type: 'delivery', ...delivery }, versions);
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    const { runId, seq } = delivery;
    await tellRunIn(tx, storeId, { type: 'failure', runId, seq, code: 'internal_error' }, versions);
  }
}
