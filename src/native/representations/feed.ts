import type {
  CatalogFeedError as RenderedError,
  CatalogFeed as RenderedFeed,
  CatalogFeedPreview as RenderedPreview,
  CatalogFeedRun as RenderedRun,
} from '../../../generated/native/types.gen.ts';
import type { Feed } from '../../domain/catalog/feeds/feed.ts';
import type { FeedPreview } from '../../domain/catalog/feeds/preview-feed.ts';
import type { FeedRun } from '../../domain/catalog/feeds/run.ts';
import type { FeedError } from '../../domain/catalog/feeds/runs.ts';

export function renderFeed(feed: Feed): RenderedFeed {
  const isOfUrl = feed.source === 'url';
  return {
    id: feed.id,
    name: feed.name,
    source: feed.source,
    url_origin: isOfUrl ? new URL(feed.urlShown).origin : null,
    format: feed.format,
    currency: feed.currency,
    every_minutes: isOfUrl ? feed.everyMinutes : null,
    is_paused: feed.isPaused,
    is_running: feed.isRunning,
    failure_count: feed.failures,
    part_count: feed.parts,
    next_run_at: feed.nextRunAt?.toISOString() ?? null,
    waiting_run_id: feed.waitingRunId,
    last_run: feed.lastRun && renderFeedRun(feed.lastRun),
    created_at: feed.createdAt.toISOString(),
    updated_at: feed.updatedAt.toISOString(),
  };
}

export function renderFeedRun(run: FeedRun): RenderedRun {
  return {
    id: run.id,
    feed_id: run.feedId,
    status: run.status,
    error: run.error,
    record_count: run.records,
    created_count: run.created,
    updated_count: run.updated,
    unchanged_count: run.unchanged,
    rejected_count: run.rejected,
    hidden_count: run.hidden,
    missing_count: run.missing,
    started_at: run.startedAt.toISOString(),
    ended_at: run.endedAt?.toISOString() ?? null,
  };
}

export function renderFeedError({ line, column, problem }: FeedError): RenderedError {
  return { line, column, message: problem };
}

export function renderFeedPreview({ format, columns, products, isComplete }: FeedPreview): RenderedPreview {
  return {
    format,
    columns,
    products: products.map(({ line, itemId, variantId, title, prices, stock, categories, error }) => ({
      line,
      item_id: itemId,
      variant_id: variantId,
      title,
      prices,
      stock,
      categories,
      error: error && renderFeedError(error),
    })),
    is_complete: isComplete,
  };
}
