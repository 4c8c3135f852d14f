import { defineEntity, p } from '@mikro-orm/postgresql';

/** A file that says what a store sells: at a URL, which is read every so often, or uploaded. */
export const CatalogFeedEntity = defineEntity({
  name: 'CatalogFeed',
  tableName: 'catalog_feed',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    source: p.enum(['url', 'file']).default('url'),
    /** Encrypted: it may have a token. Empty for one that is uploaded. */
    url: p.text(),
    /** What of it may be seen. */
    urlShown: p.text(),
    /** Null where it is what the file looks like. */
    format: p.enum(['csv', 'tsv', 'jsonl', 'json', 'xml']).nullable(),
    /** Of prices without one. */
    currency: p.text().nullable(),
    everyMinutes: p.integer(),
    isPaused: p.boolean().default(false),
    /** What the server called the file when it was read whole. */
    etag: p.text().nullable(),
    lastModified: p.text().nullable(),
    /** When it is to be read, or as long as it is being read, when that is taken to be over; null if it is paused. */
    dueAt: p.datetime(3).nullable(),
    /** The run in progress. */
    runId: p.uuid().nullable(),
    /** Items that its next run may hide, as somebody has confirmed. */
    mayHide: p.integer().nullable(),
    /** Runs that have failed since one has not. */
    failures: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [{ name: 'catalog_feed_due', properties: ['storeId', 'dueAt'], where: 'due_at is not null' }],
});
