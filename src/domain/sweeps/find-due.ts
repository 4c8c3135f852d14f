import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** Finds the stores of one part of the data that have customers to erase or to merge. */
export async function findStoresWithSweeps(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id as "storeId" from erasure where due_at <= now()
    union
    select store_id from profile_merge where due_at <= now()`.execute(db);
  return rows.map(({ storeId }) => storeId);
}
