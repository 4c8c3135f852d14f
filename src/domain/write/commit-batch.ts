import type { Sql } from '../../db/orm.ts';
import type { Draft, Outcome } from './draft.ts';
import { recordInTransaction, recordWithoutTransaction } from './record-batch.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { recordInOneStatement } from './single-statement.ts';

/**
 * Records drafts of one store, in order, and commits them: all, or none if it throws. Takes the first of three ways that
 * the drafts allow, the one with the fewest round trips: a single statement for new events of customers who are named by
 * one identifier each; a few statements without a transaction if no existing profile changes; a transaction.
 */
export function commitBatch(db: Sql, storeId: string, drafts: readonly Draft[]): Promise<Outcome[]> {
  return retryConflicts(
    db,
    async () =>
      (await recordInOneStatement(db, storeId, drafts)) ??
      (await recordWithoutTransaction(db, storeId, drafts)) ??
      (await db.transaction().execute((tx) => recordInTransaction(tx, storeId, drafts))),
  );
}
