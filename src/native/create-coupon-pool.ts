import type { Operations } from '../../generated/native/operations.gen.ts';
import { type CouponPool, createPool } from '../domain/coupons/pools/pools.ts';
import { parseTime } from '../domain/event-time.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderPool } from './representations/coupon.ts';

export function createCouponPool(writing: WithConnection): Handler<Operations, 'createCouponPool'> {
  return async ({ request, caller }) => {
    const { body } = request;
    const {
      name,
      kind,
      per = 'customer',
      pattern = null,
      low_below: lowBelow = null,
      expires_at: expires = null,
    } = body;
    const pool = { name, kind, per, pattern, lowBelow, expiresAt: (expires && parseTime(expires)) || null };
    return await performOnce(
      caller,
      { operation: 'createCouponPool', key: body.idempotency_key, request },
      {
        perform: (once: Once<CouponPool>) =>
          writing(caller.storeId, (db) => createPool(db, caller.storeId, pool, once)),
        answer: (created) => ({ status: 201 as const, body: renderPool(created) }),
      },
    );
  };
}
