import type { Operations } from '../../generated/native/operations.gen.ts';
import { type CouponPool, deletePool } from '../domain/coupons/pools/pools.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingPool, poolId } from './coupon-pool-ids.ts';
import { performOnce } from './once.ts';
import { renderPool } from './representations/coupon.ts';

export function deleteCouponPool(writing: WithConnection): Handler<Operations, 'deleteCouponPool'> {
  return async ({ request: { path }, caller }) => {
    const id = poolId(path.id);
    return await performOnce(
      caller,
      // A pool can be deleted once.
      { operation: 'deleteCouponPool', key: id, request: {} },
      {
        perform: (once: Once<CouponPool | undefined>) =>
          writing(caller.storeId, (db) => deletePool(db, caller.storeId, id, once)),
        answer: (deleted) => ({ status: 200 as const, body: renderPool(existingPool(deleted)) }),
      },
    );
  };
}
