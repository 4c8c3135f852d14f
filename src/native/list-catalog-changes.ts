import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listChanges } from '../domain/catalog/read-changes.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderChange } from './representations/catalog.ts';

export function listCatalogChanges(stores: StoreData): Handler<Operations, 'listCatalogChanges'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { items, next } = await listChanges(stores.of(storeId), storeId, query.item_id, toPageRequest(query));
    return { status: 200, body: { changes: items.map(renderChange), next_cursor: next } };
  };
}
