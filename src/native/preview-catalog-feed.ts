import type { Operations } from '../../generated/native/operations.gen.ts';
import { FeedUnavailable } from '../domain/catalog/feeds/fetch.ts';
import { NotAFeed } from '../domain/catalog/feeds/not-a-feed.ts';
import { type PreviewSource, previewFeed } from '../domain/catalog/feeds/preview-feed.ts';
import { checkedFeedUrl, type FeedTools } from '../domain/catalog/feeds/url.ts';
import type { PreviewSlots } from '../domain/segments/preview-slots.ts';
import { invalid } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { renderFeedPreview } from './representations/feed.ts';

export function previewCatalogFeed(
  { rules, open }: Pick<FeedTools, 'rules' | 'open'>,
  slots: PreviewSlots,
): Handler<Operations, 'previewCatalogFeed'> {
  return async ({ request: { body }, caller: { storeId }, deadline }) => {
    const { url, text, format = null, currency = null } = body;
    if (url !== undefined && text !== undefined) throw invalid({ path: ['text'], problem: 'must not come with url' });
    const source = sourceOf(url && checkedFeedUrl(url, rules), text);
    const work = () => previewFeed(storeId, source, { format, currency }, open);
    const preview = await deadline.except(slots.use(storeId, work)).catch((error) => {
      throw refusalOf(error, url === undefined ? 'text' : 'url');
    });
    return { status: 200, body: renderFeedPreview(preview), isRepeatable: true };
  };
}

function sourceOf(url: string | undefined, text: string | undefined): PreviewSource {
  if (url !== undefined) return { url };
  if (text !== undefined) return { text };
  throw invalid({ path: ['url'], problem: 'or text is required' });
}

function refusalOf(error: unknown, field: string): unknown {
  if (error instanceof NotAFeed) return invalid({ path: [field], problem: `is not a feed: the file ${error.message}` });
  if (!(error instanceof FeedUnavailable)) return error;
  const reason = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  return invalid({ path: [field], problem: `can not be read: ${reason}` });
}
