import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { exactly, rowExactly } from '../../../db/rows.ts';

/** A variant that is there, and the item that it belongs to. */
export interface Belonging {
  id: string;
  itemId: string;
}

/** The order of ids, as the database has them. */
export function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * Locks items for a transaction that changes them or what belongs to them, in the order of their ids, so that no two
 * transactions wait for each other; returns those that are there. Categories, if any, are locked before.
 */
export async function lockItems(tx: Sql, storeId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select locked.id from unnest(${texts([...ids].sort(byBytes))}::text[]) as w (id)
    cross join lateral (
      select id from catalog_item
      where store_id = ${storeId} and ${exactly('id', 'w.id')} order by id limit 1
      for update
    ) locked`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Keeps categories from being deleted until the transaction ends, in the order of their ids; returns those there are. */
export async function lockCategories(tx: Sql, storeId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from catalog_category
    where store_id = ${storeId} and id = any(${texts(ids)}::text[])
    order by id
    for key share`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Returns those of some variants that are there, by their ids. */
export async function findVariants(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Belonging>`
    select v.id, v.item_id as "itemId"
    from unnest(${texts(ids)}::text[]) as w (id)
    cross join lateral ${rowExactly('catalog_variant', storeId, 'w.id')} v`.execute(tx);
  return new Map(rows.map(({ id, itemId }) => [id, itemId]));
}

/** Returns how many variants items have. */
export async function countVariants(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; count: number }>`
    select w.id, v.count
    from unnest(${texts(ids)}::text[]) as w (id)
    cross join lateral (
      select count(*)::int as count from catalog_variant where store_id = ${storeId} and item_id = w.id
    ) v`.execute(tx);
  return new Map(rows.map(({ id, count }) => [id, count]));
}
