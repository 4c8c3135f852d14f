import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

const keyOf = (storeId: string) => sql`hashtextextended(${`footfall.lifecycle ${storeId}`}, 0)`;

/** Customers of a store are erased and merged one after the other, in whichever order that locks what they have. */
export async function lockLifecycle(tx: Sql, storeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(storeId)})`.execute(tx);
}

/** Has nobody be erased or merged until the transaction ends; what was committed before is seen by the next statement. */
export async function holdLifecycle(tx: Sql, storeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${keyOf(storeId)})`.execute(tx);
}
