import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Feed } from '../domain/catalog/feeds/feed.ts';
import { deleteFeed } from '../domain/catalog/feeds/feeds.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingFeed, feedId } from './feed-ids.ts';
import { performOnce } from './once.ts';
import { renderFeed } from './representations/feed.ts';

export function deleteCatalogFeed(writing: WithConnection): Handler<Operations, 'deleteCatalogFeed'> {
  return async ({ request: { path }, caller }) => {
    const id = feedId(path.id);
    return await performOnce(
      caller,
      // A feed can be deleted once.
      { operation: 'deleteCatalogFeed', key: id, request: {} },
      {
        perform: (once: Once<Feed | undefined>) =>
          writing(caller.storeId, (db) => deleteFeed(db, caller.storeId, id, once)),
        answer: (deleted) => ({ status: 200 as const, body: renderFeed(existingFeed(deleted)) }),
      },
    );
  };
}
