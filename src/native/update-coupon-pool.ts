import type { Operations } from '../../generated/native/operations.gen.ts';
import { updatePool } from '../domain/coupons/pools/pools.ts';
import { parseTime } from '../domain/event-time.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingPool, poolId } from './coupon-pool-ids.ts';
import { renderPool } from './representations/coupon.ts';

export function updateCouponPool(writing: WithConnection): Handler<Operations, 'updateCouponPool'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const { name, low_below: lowBelow, expires_at: expires } = body;
    const expiresAt = typeof expires === 'string' ? (parseTime(expires) as Date) : expires;
    const id = poolId(path.id);
    const updated = await writing(storeId, (db) => updatePool(db, storeId, id, { name, lowBelow, expiresAt }));
    return { status: 200, body: renderPool(existingPool(updated)), isRepeatable: true };
  };
}
