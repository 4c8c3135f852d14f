import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findPool } from '../domain/coupons/pools/pools.ts';
import type { Handler } from '../http/handler.ts';
import { existingPool, poolId } from './coupon-pool-ids.ts';
import { renderPool } from './representations/coupon.ts';

export function getCouponPool(stores: StoreData): Handler<Operations, 'getCouponPool'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const found = await findPool(stores.of(storeId), storeId, poolId(path.id));
    return { status: 200, body: renderPool(existingPool(found)) };
  };
}
