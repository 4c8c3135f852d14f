import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { searchCategories } from '../domain/catalog/categories.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderCategory } from './representations/catalog.ts';

export function listCatalogCategories(stores: StoreData): Handler<Operations, 'listCatalogCategories'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const page = toPageRequest(query);
    const { items, next } = await searchCategories(stores.of(storeId), storeId, query.parent_id, page);
    return { status: 200, body: { categories: items.map(renderCategory), next_cursor: next } };
  };
}
