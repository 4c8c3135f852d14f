import { defineEntity, p } from '@mikro-orm/postgresql';

/** What a customer ordered in a currency; cancelled orders are none of it. */
export const CustomerValueEntity = defineEntity({
  name: 'CustomerValue',
  tableName: 'customer_value',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    /** Empty where orders name none. */
    currency: p.text().collation('C').primary(),
    orders: p.integer(),
    amount: p.decimal().columnType('numeric'),
    refunded: p.decimal().columnType('numeric'),
    firstAt: p.datetime(3),
    lastAt: p.datetime(3),
  },
});
