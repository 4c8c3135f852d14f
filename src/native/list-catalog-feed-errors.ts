import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findRun, listErrors } from '../domain/catalog/feeds/runs.ts';
import type { Handler } from '../http/handler.ts';
import { existingFeedRun, feedId, feedRunId } from './feed-ids.ts';
import { toPageRequest } from './query.ts';
import { renderFeedError } from './representations/feed.ts';

export function listCatalogFeedErrors(stores: StoreData): Handler<Operations, 'listCatalogFeedErrors'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const db = stores.of(storeId);
    const { id } = existingFeedRun(await findRun(db, storeId, feedId(path.id), feedRunId(path.run_id)));
    const { items, next } = await listErrors(db, storeId, id, toPageRequest(query));
    return { status: 200, body: { errors: items.map(renderFeedError), next_cursor: next } };
  };
}
