import { defineEntity, p } from '@mikro-orm/postgresql';

/** A pool that is gone, some of whose codes may still be there. */
export const CouponPoolDeletionEntity = defineEntity({
  name: 'CouponPoolDeletion',
  tableName: 'coupon_pool_deletion',
  properties: {
    storeId: p.uuid().primary(),
    poolId: p.uuid().primary(),
    deletedAt: p.datetime(3),
  },
});
