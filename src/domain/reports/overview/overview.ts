import { isTimeout } from '../../../db/driver-errors.ts';
import { limitStatements } from '../../../db/limit-statements.ts';
import type { Sql } from '../../../db/sql.ts';
import { overloaded } from '../../service-error.ts';
import { type AttentionItem, findAttention } from './attention.ts';
import { type FirstStep, readFirstSteps } from './first-steps.ts';

/** It is given up after so long. */
const MAX_MS = 3_000;

/**
 * Returns what needs attention of a store, of what the scopes let one read, and which first steps it has taken. Throws
 * `upstream_error` if that takes too long.
 */
export async function readOverview(
  db: Sql,
  storeId: string,
  scopes: ReadonlySet<string>,
): Promise<{ attention: AttentionItem[]; firstSteps: FirstStep[] }> {
  try {
    return await db.transaction().execute(async (tx) => {
      await limitStatements(tx, MAX_MS);
      return {
        attention: await findAttention(tx, storeId, scopes),
        firstSteps: await readFirstSteps(tx, storeId),
      };
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw overloaded('Too much is going on to look at all of it; try again later');
  }
}
