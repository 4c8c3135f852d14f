import { defineEntity, p } from '@mikro-orm/postgresql';

/** Sums of the orders that were placed in a quarter of an hour, of one currency. */
export const OrderQuarterEntity = defineEntity({
  name: 'OrderQuarter',
  tableName: 'order_quarter',
  properties: {
    storeId: p.uuid().primary(),
    start: p.datetime(3).primary(),
    /** Empty where orders name none. */
    currency: p.text().collation('C').primary(),
    /** Those that were not cancelled, which the sums are of. */
    orders: p.integer(),
    amount: p.decimal().columnType('numeric'),
    refunded: p.decimal().columnType('numeric'),
    cancelled: p.integer(),
    /** Customers whose first order is one of these. */
    firstOrders: p.integer().default(0),
  },
});
