import { defineEntity, p } from '@mikro-orm/postgresql';

/** A code of a pool. Ids are in the order in which codes were added, and given out. */
export const CouponCodeEntity = defineEntity({
  name: 'CouponCode',
  tableName: 'coupon_code',
  properties: {
    storeId: p.uuid().primary(),
    code: p.text().primary(),
    poolId: p.uuid().primary(),
    id: p.uuid(),
    status: p.enum(['free', 'assigned', 'used', 'void']),
    /** Who has no second one: the customer, or the run; null while it is free, and once it is void. */
    holder: p.uuid().nullable(),
    profileId: p.uuid().nullable(),
    runId: p.uuid().nullable(),
    orderId: p.text().nullable(),
    createdAt: p.datetime(3),
    assignedAt: p.datetime(3).nullable(),
    usedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'coupon_code_holder', properties: ['storeId', 'poolId', 'holder'], where: 'holder is not null' }],
  indexes: [
    { name: 'coupon_code_of', properties: ['storeId', 'poolId', 'id'] },
    { name: 'coupon_code_status', properties: ['storeId', 'poolId', 'status', 'id'] },
    {
      name: 'coupon_code_profile',
      properties: ['storeId', 'profileId', 'id'],
      where: 'profile_id is not null',
    },
  ],
});
