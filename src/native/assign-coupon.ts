import type { Operations } from '../../generated/native/operations.gen.ts';
import { type Assigned, assignCode } from '../domain/coupons/codes/assign.ts';
import type { Once } from '../domain/kept-answers.ts';
import { currentId } from '../domain/profile-aliases.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingPool, poolId } from './coupon-pool-ids.ts';
import { performOnce } from './once.ts';
import { renderCode } from './representations/coupon.ts';

export function assignCoupon(writing: WithConnection): Handler<Operations, 'assignCoupon'> {
  return async ({ request, caller }) => {
    const { path, body } = request;
    const { storeId } = caller;
    const id = poolId(path.id);
    return await performOnce(
      caller,
      { operation: 'assignCoupon', key: body.idempotency_key, request },
      {
        perform: (once: Once<Assigned | undefined>) =>
          writing(storeId, async (db) => {
            const profileId = await currentId(db, storeId, body.profile_id);
            return await assignCode(db, storeId, { poolId: id, profileId }, once);
          }),
        answer: (assigned) => {
          const { code, isKnown } = existingPool(assigned);
          return { status: isKnown ? (200 as const) : (201 as const), body: renderCode(code) };
        },
      },
    );
  };
}
