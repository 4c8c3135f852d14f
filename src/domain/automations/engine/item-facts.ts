import type { Sql } from '../../../db/sql.ts';
import { readItemsNow } from '../../catalog/items-now.ts';
import type { Prices } from '../../catalog/prices.ts';
import type { ItemFacts, ItemRef } from '../../conditions/subject.ts';

/** Returns what conditions look at of items, in the order in which they are asked for: what is gone is not available. */
export async function readItemFacts(db: Sql, storeId: string, refs: readonly ItemRef[]): Promise<ItemFacts[]> {
  const found = await readItemsNow(db, storeId, refs);
  return found.map((item) => {
    if (!item) return { stock: null, available: false, prices: {} };
    const { stock, isPublished, isInStock, prices } = item;
    const all = Object.entries(prices.parse<Prices>()).map(([currency, { price }]) => [currency, price]);
    return { stock, available: isPublished && isInStock, prices: Object.fromEntries(all) };
  });
}
