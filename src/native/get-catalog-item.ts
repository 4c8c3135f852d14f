import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findItem } from '../domain/catalog/read-items.ts';
import type { Handler } from '../http/handler.ts';
import { existingItem, itemId } from './catalog-ids.ts';
import { renderItem } from './representations/catalog.ts';

export function getCatalogItem(stores: StoreData): Handler<Operations, 'getCatalogItem'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const item = await findItem(stores.of(storeId), storeId, itemId(path.id));
    return { status: 200, body: renderItem(existingItem(item)) };
  };
}
