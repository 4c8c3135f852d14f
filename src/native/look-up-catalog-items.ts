import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findItems } from '../domain/catalog/read-items.ts';
import type { Handler } from '../http/handler.ts';
import { renderSummary } from './representations/catalog.ts';

export function lookUpCatalogItems(stores: StoreData): Handler<Operations, 'lookUpCatalogItems'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    const items = await findItems(stores.of(storeId), storeId, body.ids);
    return { status: 200, body: { items: items.map(renderSummary) } };
  };
}
