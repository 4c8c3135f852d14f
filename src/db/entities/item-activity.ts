import { defineEntity, p } from '@mikro-orm/postgresql';

/** What a customer did with an item, and how often. */
export const ItemActivityEntity = defineEntity({
  name: 'ItemActivity',
  tableName: 'item_activity',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    kind: p.enum(['viewed', 'carted', 'ordered']).primary(),
    itemId: p.text().collation('C').primary(),
    times: p.integer(),
    firstAt: p.datetime(3),
    lastAt: p.datetime(3),
  },
  indexes: [
    { name: 'item_activity_of_item', properties: ['storeId', 'itemId', 'kind', 'lastAt'] },
    { name: 'item_activity_last', properties: ['storeId', 'lastAt'] },
  ],
});
