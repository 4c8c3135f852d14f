import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';

/** Levels of categories, from one without a parent. */
export const MAX_LEVELS = 8;

/**
 * Returns the ids of a category and of all below it, or of one more than `limit` of them; none if the store has no such
 * category.
 */
export async function findDescendants(db: Sql, storeId: string, id: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive below (id, depth) as (
      select id, 1 from catalog_category where store_id = ${storeId} and id = ${id}
      union all
      select c.id, depth + 1
      from below b join catalog_category c on c.store_id = ${storeId} and c.parent_id = b.id
      where depth <= ${MAX_LEVELS}
    )
    select id from below limit ${limit + 1}`.execute(db);
  return rows.map((row) => row.id);
}
