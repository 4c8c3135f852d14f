import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findCategory } from '../domain/catalog/categories.ts';
import type { Handler } from '../http/handler.ts';
import { categoryId, existingCategory } from './catalog-ids.ts';
import { renderCategory } from './representations/catalog.ts';

export function getCatalogCategory(stores: StoreData): Handler<Operations, 'getCatalogCategory'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const category = await findCategory(stores.of(storeId), storeId, categoryId(path.id));
    return { status: 200, body: renderCategory(existingCategory(category)) };
  };
}
