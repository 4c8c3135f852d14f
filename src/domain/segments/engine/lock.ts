import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { SegmentTools, TransactionTools } from './tools.ts';

/** Milliseconds of a transaction in which customers may be evaluated: with what it writes it is to take ten seconds at most. */
const EVALUATING_MS = 8_000;

/**
 * Works on a store's segments in one transaction that has them to itself. Returns undefined if somebody else works on
 * them: each piece of work is one transaction, so that nothing has to be taken over from a process that is gone.
 */
export async function withSegments<Result>(
  db: Sql,
  storeId: string,
  { generations, log, now }: SegmentTools,
  work: (tx: Sql, tools: TransactionTools) => Promise<Result>,
): Promise<Result | undefined> {
  return await retryConflicts(db, () =>
    generations.during((reader) =>
      db.transaction().execute(async (tx) => {
        if (!(await lockSegments(tx, storeId))) return undefined;
        const end = now() + EVALUATING_MS;
        return await work(tx, { generations: reader, log, now, left: () => end - now() });
      }),
    ),
  );
}

/** Has a store's segments to itself until the transaction ends. Returns false if somebody else has. */
export async function lockSegments(tx: Sql, storeId: string): Promise<boolean> {
  const { rows } = await sql`
    select from segment_store where store_id = ${storeId} for update skip locked`.execute(tx);
  return rows.length > 0;
}

/**
 * The same for somebody who waits for it: nobody moves members meanwhile, and who moves them afterwards sees what this
 * transaction has written.
 */
export async function holdSegments(tx: Sql, storeId: string): Promise<void> {
  await sql`select from segment_store where store_id = ${storeId} for update`.execute(tx);
}
