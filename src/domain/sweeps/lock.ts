import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** Customers of a store are erased and merged one after the other, in whichever order that locks what they have. */
export async function lockLifecycle(tx: Sql, storeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.lifecycle ${storeId}`}, 0))`.execute(tx);
}
