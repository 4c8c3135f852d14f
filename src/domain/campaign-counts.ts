import { sql } from 'kysely';
import type { Sql } from '../db/sql.ts';

/** Seconds between two counts of a campaign. */
export const COUNT_EVERY_S = 10;
/**
 * How often messages are counted after one has changed: once as it may be that another transaction has found this noted, and
 * was not over when the first count began.
 */
const ROUNDS = 2;

/** What is known of a message that may be of a campaign. */
interface OfSource {
  source: string;
  sourceId: string | null;
}

/** Has the campaigns of some messages that have changed counted again. Whoever finds this noted writes nothing. */
export async function noteChanged(tx: Sql, storeId: string, messages: readonly OfSource[]): Promise<void> {
  const ids = new Set(messages.flatMap(({ source, sourceId }) => (source === 'campaign' && sourceId ? sourceId : [])));
  // In one order: no two transactions deadlock.
  for (const id of [...ids].sort()) await countAgain(tx, storeId, id);
}

/** Has a campaign counted again; a small one is counted whenever somebody asks. */
export async function countAgain(tx: Sql, storeId: string, id: string): Promise<void> {
  await sql`
    update campaign_count
    set rounds_left = ${ROUNDS}, due_at = coalesce(due_at, now() + make_interval(secs => ${COUNT_EVERY_S}))
    where store_id = ${storeId} and campaign_id = ${id} and rounds_left < ${ROUNDS}`.execute(tx);
}
