import { defineEntity, p } from '@mikro-orm/postgresql';

/** Reading the file of a feed once. */
export const CatalogFeedRunEntity = defineEntity({
  name: 'CatalogFeedRun',
  tableName: 'catalog_feed_run',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    feedId: p.uuid(),
    status: p.enum(['running', 'complete', 'unchanged', 'needs_confirmation', 'confirmed', 'dismissed', 'failed']),
    records: p.integer().default(0),
    created: p.integer().default(0),
    updated: p.integer().default(0),
    unchanged: p.integer().default(0),
    rejected: p.integer().default(0),
    hidden: p.integer().default(0),
    /** Items that were not in the file. */
    missing: p.integer().default(0),
    /** Why it has failed. */
    error: p.text().nullable(),
    startedAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'catalog_feed_run_of_feed', properties: ['storeId', 'feedId', 'id'] }],
});
