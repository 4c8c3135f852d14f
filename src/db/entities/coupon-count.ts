import { defineEntity, p } from '@mikro-orm/postgresql';

/** How many codes of a pool have a status other than `free`. */
export const CouponCountEntity = defineEntity({
  name: 'CouponCount',
  tableName: 'coupon_count',
  properties: {
    storeId: p.uuid().primary(),
    poolId: p.uuid().primary(),
    status: p.text().primary(),
    count: p.integer(),
  },
});
