import { defineEntity, p } from '@mikro-orm/postgresql';

/** How far one who follows a store's change feed has read: all entries up to one, and some items of the next. */
export const FeedReaderEntity = defineEntity({
  name: 'FeedReader',
  tableName: 'feed_reader',
  properties: {
    storeId: p.uuid().primary(),
    name: p.text().primary(),
    entry: p.bigint('number'),
    items: p.integer(),
    readAt: p.datetime(3),
    /** Since when it has missed nothing. */
    since: p.datetime(3).defaultRaw('now()'),
  },
});
