import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findFeed } from '../domain/catalog/feeds/feeds.ts';
import type { Handler } from '../http/handler.ts';
import { existingFeed, feedId } from './feed-ids.ts';
import { renderFeed } from './representations/feed.ts';

export function getCatalogFeed(stores: StoreData): Handler<Operations, 'getCatalogFeed'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const found = await findFeed(stores.of(storeId), storeId, feedId(path.id));
    return { status: 200, body: renderFeed(existingFeed(found)) };
  };
}
