import type { Operations } from '../../generated/native/operations.gen.ts';
import { findFeed } from '../domain/catalog/feeds/feeds.ts';
import { putFeedPart } from '../domain/catalog/feeds/files.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingFeed, feedId } from './feed-ids.ts';
import { partNumber } from './import-ids.ts';
import { renderFeed } from './representations/feed.ts';

export function putCatalogFeedPart(writing: WithConnection): Handler<Operations, 'putCatalogFeedPart'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const [id, number] = [feedId(path.id), partNumber(path.number)];
    const updated = await writing(storeId, async (db) => {
      await putFeedPart(db, storeId, id, number, body.text);
      return await findFeed(db, storeId, id);
    });
    return { status: 200, body: renderFeed(existingFeed(updated)), isRepeatable: true };
  };
}
