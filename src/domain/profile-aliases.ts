import { sql } from 'kysely';
import { uuids } from '../db/binary-arrays.ts';
import type { Sql } from '../db/sql.ts';
import { isId } from '../ids/uuid-v7.ts';

/**
 * Returns, by their former ids, into whom customers were merged. A store that has merged nobody pays one look-up, whatever it
 * asks for.
 */
export async function readAliases(db: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; profileId: string }>`
    select id, profile_id as "profileId" from profile_alias
    where store_id = ${storeId} and id = any(${uuids([...new Set(ids)])}::uuid[])
      and exists (select from profile_alias where store_id = ${storeId})`.execute(db);
  return new Map(rows.map(({ id, profileId }) => [id, profileId]));
}

/** Whether a store has merged anybody. */
export async function hasAliases(db: Sql, storeId: string): Promise<boolean> {
  const { rows } = await sql`select from profile_alias where store_id = ${storeId} limit 1`.execute(db);
  return rows.length > 0;
}

/** Has what names customers by former ids name those into whom they were merged. */
export async function followAliases<Item extends { profileId: string }>(
  db: Sql,
  storeId: string,
  items: readonly Item[],
): Promise<readonly Item[]> {
  const aliases = await readAliases(
    db,
    storeId,
    items.map(({ profileId }) => profileId),
  );
  if (aliases.size === 0) return items;
  return items.map((item) => ({ ...item, profileId: aliases.get(item.profileId) ?? item.profileId }));
}

/** Returns the id that a customer has now, whether or not there is one. */
export async function currentId(db: Sql, storeId: string, id: string): Promise<string> {
  const lower = id.toLowerCase();
  return isId(lower) ? ((await readAliases(db, storeId, [lower])).get(lower) ?? lower) : lower;
}

/** The same of several. */
export async function currentIds(db: Sql, storeId: string, ids: readonly string[]): Promise<string[]> {
  const aliases = await readAliases(db, storeId, ids.filter(isId));
  return ids.map((id) => aliases.get(id.toLowerCase()) ?? id);
}
