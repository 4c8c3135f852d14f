import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listPools } from '../domain/coupons/pools/pools.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderPool } from './representations/coupon.ts';

export function listCouponPools(stores: StoreData): Handler<Operations, 'listCouponPools'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { items, next } = await listPools(stores.of(storeId), storeId, toPageRequest(query));
    return { status: 200, body: { pools: items.map(renderPool), next_cursor: next } };
  };
}
