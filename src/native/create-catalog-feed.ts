import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Feed } from '../domain/catalog/feeds/feed.ts';
import { createFeed, expectOfFile, type NewFeed } from '../domain/catalog/feeds/feeds.ts';
import type { FeedTools } from '../domain/catalog/feeds/url.ts';
import type { Once } from '../domain/kept-answers.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderFeed } from './representations/feed.ts';

type Input = Operations['createCatalogFeed']['request']['body'];

export function createCatalogFeed(writing: WithConnection, tools: FeedTools): Handler<Operations, 'createCatalogFeed'> {
  return async ({ request, caller }) => {
    const { body } = request;
    const feed = newFeed(body);
    // What is kept of a request to tell repetitions must not let anybody try tokens on it.
    const url = feed.url && tools.secrets.derive('feed urls').sign(feed.url).toString('hex');
    return await performOnce(
      caller,
      { operation: 'createCatalogFeed', key: body.idempotency_key, request: { body: { ...body, url } } },
      {
        perform: (once: Once<Feed>) =>
          writing(caller.storeId, (db) => createFeed(db, caller.storeId, feed, tools, once)),
        answer: (created) => ({ status: 201 as const, body: renderFeed(created) }),
      },
    );
  };
}

function newFeed({
  name,
  source = 'url',
  url,
  format = null,
  currency = null,
  every_minutes,
  is_paused,
}: Input): NewFeed {
  if (source === 'file') expectOfFile({ url, every_minutes, is_paused });
  else if (url === undefined) throw invalid({ path: ['url'], problem: 'is required' });
  return { name, url: url ?? null, format, currency, everyMinutes: every_minutes ?? 60, isPaused: is_paused ?? false };
}
