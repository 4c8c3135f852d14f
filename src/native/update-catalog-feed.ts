import type { Operations } from '../../generated/native/operations.gen.ts';
import { updateFeed } from '../domain/catalog/feeds/feeds.ts';
import type { FeedTools } from '../domain/catalog/feeds/url.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingFeed, feedId } from './feed-ids.ts';
import { renderFeed } from './representations/feed.ts';

export function updateCatalogFeed(writing: WithConnection, tools: FeedTools): Handler<Operations, 'updateCatalogFeed'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const { name, url, format, currency, every_minutes: everyMinutes, is_paused: isPaused } = body;
    const change = { name, url, format, currency, everyMinutes, isPaused };
    const id = feedId(path.id);
    const updated = await writing(storeId, (db) => updateFeed(db, storeId, id, change, tools));
    return { status: 200, body: renderFeed(existingFeed(updated)), isRepeatable: true };
  };
}
