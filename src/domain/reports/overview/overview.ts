import type { Sql } from '../../../db/sql.ts';
import { inReport } from '../../reading/in-report.ts';
import { type AttentionItem, findAttention } from './attention.ts';
import { type FirstStep, readFirstSteps } from './first-steps.ts';

const TOO_LONG = 'Too much is going on to look at all of it; try again later';

/**
 * Returns what needs attention of a store, of what the scopes let one read, and which first steps it has taken. Throws
 * `upstream_error` if that takes too long.
 */
export async function readOverview(
  db: Sql,
  storeId: string,
  scopes: ReadonlySet<string>,
): Promise<{ attention: AttentionItem[]; firstSteps: FirstStep[] }> {
  return await inReport(db, TOO_LONG, async (tx) => ({
    attention: await findAttention(tx, storeId, scopes),
    firstSteps: await readFirstSteps(tx, storeId),
  }));
}
