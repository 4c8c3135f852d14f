import { defineEntity, p } from '@mikro-orm/postgresql';

/** What a transaction adds to the counts of a pool. */
export const CouponCountNewEntity = defineEntity({
  name: 'CouponCountNew',
  tableName: 'coupon_count_new',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    poolId: p.uuid(),
    status: p.text(),
    count: p.integer(),
  },
  indexes: [{ name: 'coupon_count_new_of', properties: ['storeId', 'poolId'] }],
});
