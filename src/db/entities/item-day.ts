import { defineEntity, p } from '@mikro-orm/postgresql';

/** How often an item was viewed, put into carts and ordered on a day of UTC. */
export const ItemDayEntity = defineEntity({
  name: 'ItemDay',
  tableName: 'item_day',
  properties: {
    storeId: p.uuid().primary(),
    day: p.date().primary(),
    itemId: p.text().collation('C').primary(),
    views: p.integer(),
    carts: p.integer(),
    orders: p.integer(),
  },
  indexes: [{ name: 'item_day_ordered', properties: ['storeId', 'day', 'itemId'], where: 'orders > 0' }],
});
