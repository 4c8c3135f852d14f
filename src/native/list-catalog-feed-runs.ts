import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findFeed } from '../domain/catalog/feeds/feeds.ts';
import { listRuns } from '../domain/catalog/feeds/runs.ts';
import type { Handler } from '../http/handler.ts';
import { existingFeed, feedId } from './feed-ids.ts';
import { toPageRequest } from './query.ts';
import { renderFeedRun } from './representations/feed.ts';

export function listCatalogFeedRuns(stores: StoreData): Handler<Operations, 'listCatalogFeedRuns'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const db = stores.of(storeId);
    const { id } = existingFeed(await findFeed(db, storeId, feedId(path.id)));
    const { items, next } = await listRuns(db, storeId, id, toPageRequest(query));
    return { status: 200, body: { runs: items.map(renderFeedRun), next_cursor: next } };
  };
}
