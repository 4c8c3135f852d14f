import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** Finds the stores of one part of the data that have something to erase. */
export async function findStoresWithErasures(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select distinct store_id as "storeId" from erasure where due_at <= now()`.execute(db);
  return rows.map(({ storeId }) => storeId);
}
