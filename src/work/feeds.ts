import { extname } from 'node:path';
import { findStoresWithDueFeeds } from '../domain/catalog/feeds/claim.ts';
import type { Work } from '../engine/engine.ts';

/** The reading of the catalogs' feeds. A store reads one at a time. */
export const FEEDS: Work = {
  name: 'feeds',
  module: new URL(`./feeds-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'reading of a feed',
  ignoresCurrent: true,
  find: findStoresWithDueFeeds,
  rows: 'catalog_feed where due_at is not null',
  // It takes as long as the slowest server.
  stuckMs: 16 * 60 * 1000,
};

/** Stores whose feeds are read at the same time: most of the time each waits for a server, which may be slow. */
export const FEEDS_AT_ONCE = 20;
