import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { findItems, type ItemSummary } from '../read-items.ts';
import { buyAgain, MAX_CANDIDATES, recentlyViewed } from './compute.ts';
import { keptRecommendation } from './kept.ts';

export type RecommendationKind = 'also_bought' | 'best_sellers' | 'recently_viewed' | 'buy_again';

/** What to recommend. */
export type Wanted = { limit: number; hasFallback: boolean } & (
  | { kind: 'also_bought'; itemId: string }
  | { kind: 'best_sellers'; categoryId: string | undefined }
  | { kind: 'recently_viewed' | 'buy_again'; profileId: string }
);

export interface Recommended {
  item: ItemSummary;
  because: RecommendationKind;
}

/**
 * Returns items that can be bought now, the best first. Where there are too few and there is a fallback, those that sell best
 * follow: in a category of the item, and in the store.
 */
export async function recommend(db: Sql, storeId: string, wanted: Wanted): Promise<Recommended[]> {
  const itemId = wanted.kind === 'also_bought' ? wanted.itemId : undefined;
  const found: Recommended[] = [];
  const add = async (ids: readonly string[], because: RecommendationKind) => {
    const others = ids.filter((id) => id !== itemId && found.every(({ item }) => item.id !== id));
    const items = await findItems(db, storeId, others.slice(0, MAX_CANDIDATES));
    const sold = items.filter(({ status, isInStock }) => status === 'published' && isInStock);
    found.push(...sold.slice(0, wanted.limit - found.length).map((item) => ({ item, because })));
  };
  await add(await idsOf(db, storeId, wanted), wanted.kind);
  if (!wanted.hasFallback) return found;
  for (const place of await fallbackPlaces(db, storeId, itemId)) {
    if (found.length >= wanted.limit) break;
    await add(await keptRecommendation(db, storeId, 'best_sellers', place), 'best_sellers');
  }
  return found;
}

async function idsOf(db: Sql, storeId: string, wanted: Wanted): Promise<string[]> {
  switch (wanted.kind) {
    case 'also_bought':
      return await keptRecommendation(db, storeId, 'also_bought', wanted.itemId);
    case 'best_sellers':
      return await keptRecommendation(db, storeId, 'best_sellers', wanted.categoryId ?? '');
    case 'recently_viewed':
      return await recentlyViewed(db, storeId, wanted.profileId);
    case 'buy_again':
      return await buyAgain(db, storeId, wanted.profileId);
  }
}

/** A category of the item, if it has any, and the store. */
async function fallbackPlaces(db: Sql, storeId: string, itemId: string | undefined): Promise<string[]> {
  if (itemId === undefined) return [''];
  const { rows } = await sql<{ id: string }>`
    select category_id as id from catalog_item_category
    where store_id = ${storeId} and item_id = ${itemId} order by category_id limit 1`.execute(db);
  return [...rows.map(({ id }) => id), ''];
}
