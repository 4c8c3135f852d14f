import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { searchItems } from '../domain/catalog/search-items.ts';
import { parseTime } from '../domain/event-time.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderSummary } from './representations/catalog.ts';

export function listCatalogItems(stores: StoreData): Handler<Operations, 'listCatalogItems'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { q: text, category, brand, status, in_stock: isInStock, updated_since: since } = query;
    const updatedSince = since === undefined ? undefined : parseTime(since);
    const search = { text, category, brand, status, isInStock, updatedSince };
    const { items, next } = await searchItems(stores.of(storeId), storeId, search, toPageRequest(query));
    return { status: 200, body: { items: items.map(renderSummary), next_cursor: next } };
  };
}
