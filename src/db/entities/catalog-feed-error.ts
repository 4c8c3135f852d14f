import { defineEntity, p } from '@mikro-orm/postgresql';

/** What is wrong with a product of a feed. */
export const CatalogFeedErrorEntity = defineEntity({
  name: 'CatalogFeedError',
  tableName: 'catalog_feed_error',
  properties: {
    storeId: p.uuid().primary(),
    runId: p.uuid().primary(),
    /** In the order in which they were found. */
    number: p.integer().primary(),
    line: p.integer(),
    /** The name of the column, if it is one's. */
    columnName: p.text().nullable(),
    problem: p.text(),
  },
});
