import { sql } from 'kysely';
import { integers, texts } from '../../db/binary-arrays.ts';
import { exactly } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import type { NamedItem } from './items-in-events.ts';
import { rowBySku } from './row-by-sku.ts';

/**
 * Returns the ids of the items of the catalog that events name, in the same order: by the id of the item, else of a
 * variant, else by what it is sold as. Undefined where the catalog has no such item.
 */
export async function findNamedItems(
  db: Sql,
  storeId: string,
  named: readonly NamedItem[],
): Promise<(string | undefined)[]> {
  // Most of what many events name, several of them do.
  const distinct = new Map(named.map((one) => [keyOf(one), one]));
  const found = await findEach(db, storeId, [...distinct.values()]);
  const itemOf = new Map([...distinct.keys()].map((key, n) => [key, found.get(n)]));
  return named.map((one) => itemOf.get(keyOf(one)));
}

const keyOf = ({ ids, variantIds, skus }: NamedItem) => JSON.stringify([ids, variantIds, skus]);

/** The same of different ones, by their places. */
async function findEach(db: Sql, storeId: string, named: readonly NamedItem[]): Promise<Map<number, string>> {
  const candidates = named.flatMap(({ ids, variantIds, skus }, n) => [
    ...ids.map((text) => ({ n, rank: 0, text })),
    ...variantIds.map((text) => ({ n, rank: 1, text })),
    // Some shops call the id of a variant that of a product.
    ...ids.map((text) => ({ n, rank: 2, text })),
    ...skus.map((text) => ({ n, rank: 3, text })),
  ]);
  if (candidates.length === 0) return new Map();
  const { rows } = await sql<{ n: number; itemId: string }>`
    select distinct on (w.n) w.n, found.item_id as "itemId"
    from unnest(
      ${integers(candidates.map(({ n }) => n))}::int[],
      ${integers(candidates.map(({ rank }) => rank))}::int[],
      ${texts(candidates.map(({ text }) => text))}::text[]) with ordinality as w (n, rank, name, place)
    cross join lateral (
      (select id as item_id from catalog_item where w.rank = 0 and store_id = ${storeId} and ${exactly('id', 'w.name')} order by id limit 1)
      union all
      (select item_id from catalog_variant where w.rank in (1, 2) and store_id = ${storeId} and ${exactly('id', 'w.name')} order by id limit 1)
      union all
      (select id from ${rowBySku('catalog_item', storeId, 'w.name')} as sold where w.rank = 3)
      union all
      (select item_id from ${rowBySku('catalog_variant', storeId, 'w.name')} as sold where w.rank = 3)
    ) found
    order by w.n, w.rank, w.place`.execute(db);
  return new Map(rows.map(({ n, itemId }) => [n, itemId]));
}
