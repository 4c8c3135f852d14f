import type { Operations } from '../../generated/native/operations.gen.ts';
import { runFeedNow } from '../domain/catalog/feeds/feeds.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingFeed, feedId } from './feed-ids.ts';
import { renderFeed } from './representations/feed.ts';

export function runCatalogFeed(writing: WithConnection): Handler<Operations, 'runCatalogFeed'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const id = feedId(path.id);
    const feed = await writing(storeId, (db) => runFeedNow(db, storeId, id, body.part_count));
    return { status: 200, body: renderFeed(existingFeed(feed)) };
  };
}
