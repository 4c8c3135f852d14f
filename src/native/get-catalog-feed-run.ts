import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findRun } from '../domain/catalog/feeds/runs.ts';
import type { Handler } from '../http/handler.ts';
import { existingFeedRun, feedId, feedRunId } from './feed-ids.ts';
import { renderFeedRun } from './representations/feed.ts';

export function getCatalogFeedRun(stores: StoreData): Handler<Operations, 'getCatalogFeedRun'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const found = await findRun(stores.of(storeId), storeId, feedId(path.id), feedRunId(path.run_id));
    return { status: 200, body: renderFeedRun(existingFeedRun(found)) };
  };
}
