import { defineEntity, p } from '@mikro-orm/postgresql';

/** The last position of a store's change feed. Its lock is held while entries get theirs. */
export const FeedHeadEntity = defineEntity({
  name: 'FeedHead',
  tableName: 'feed_head',
  properties: {
    storeId: p.uuid().primary(),
    position: p.bigint('number'),
  },
});
