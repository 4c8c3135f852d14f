import { defineEntity, p } from '@mikro-orm/postgresql';

/** A part of the file of a feed that was uploaded and is not read yet. */
export const CatalogFeedPartEntity = defineEntity({
  name: 'CatalogFeedPart',
  tableName: 'catalog_feed_part',
  properties: {
    storeId: p.uuid().primary(),
    feedId: p.uuid().primary(),
    /** From 1. */
    number: p.integer().primary(),
    bytes: p.integer(),
    /** UTF-8. */
    content: p.blob(),
    putAt: p.datetime(3),
  },
  indexes: [{ name: 'catalog_feed_part_put', properties: ['storeId', 'putAt'] }],
});
