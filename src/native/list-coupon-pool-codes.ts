import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listCodes } from '../domain/coupons/codes/codes.ts';
import { findPool } from '../domain/coupons/pools/pools.ts';
import { parseTime } from '../domain/event-time.ts';
import type { Handler } from '../http/handler.ts';
import { existingPool, poolId } from './coupon-pool-ids.ts';
import { toPageRequest } from './query.ts';
import { renderCode } from './representations/coupon.ts';

export function listCouponPoolCodes(stores: StoreData): Handler<Operations, 'listCouponPoolCodes'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const sql = stores.of(storeId);
    const { id } = existingPool(await findPool(sql, storeId, poolId(path.id)));
    const { status, since } = query;
    const filter = { status, since: since === undefined ? undefined : parseTime(since) };
    const { items, next } = await listCodes(sql, storeId, id, filter, toPageRequest(query));
    return { status: 200, body: { codes: items.map(renderCode), next_cursor: next } };
  };
}
