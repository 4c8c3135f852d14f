import { isTimeout } from './driver-errors.ts';
import { limitStatements } from './limit-statements.ts';
import { withSavepoint } from './savepoint.ts';
import type { Sql } from './sql.ts';

/** Does what a transaction can go on without; undefined if a statement of it takes longer than some milliseconds. */
export async function inTime<Result>(tx: Sql, ms: number, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await withSavepoint(tx, async () => {
      await limitStatements(tx, ms);
      return await work();
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return undefined;
  }
}
