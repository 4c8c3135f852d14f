import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listFeeds } from '../domain/catalog/feeds/feeds.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderFeed } from './representations/feed.ts';

export function listCatalogFeeds(stores: StoreData): Handler<Operations, 'listCatalogFeeds'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { items, next } = await listFeeds(stores.of(storeId), storeId, toPageRequest(query));
    return { status: 200, body: { feeds: items.map(renderFeed), next_cursor: next } };
  };
}
