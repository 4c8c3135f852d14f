import type { Operations } from '../../generated/native/operations.gen.ts';
import { type MarkOutcome, markCodes } from '../domain/coupons/codes/mark-codes.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingPool, poolId } from './coupon-pool-ids.ts';

export function markCouponCodes(writing: WithConnection): Handler<Operations, 'markCouponCodes'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const id = poolId(path.id);
    const marks = body.codes.map(({ code, status, order_id: orderId = null }) => ({ code, status, orderId }));
    const outcomes = existingPool(await writing(storeId, (db) => markCodes(db, storeId, id, marks)));
    const count = (status: MarkOutcome) => outcomes.filter((outcome) => outcome === status).length;
    const counts = {
      marked_count: count('marked'),
      unchanged_count: count('unchanged'),
      unknown_count: count('unknown'),
    };
    const codes = outcomes.map((status, index) => ({ index, code: marks[index]?.code as string, status }));
    return { status: 200, body: { ...counts, codes }, isRepeatable: true };
  };
}
