import type { Operations } from '../../generated/native/operations.gen.ts';
import { type AddedCodes, addCodes, type NewCodes } from '../domain/coupons/codes/add-codes.ts';
import type { Once } from '../domain/kept-answers.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingPool, poolId } from './coupon-pool-ids.ts';
import { performOnce } from './once.ts';

export function addCouponCodes(writing: WithConnection): Handler<Operations, 'addCouponCodes'> {
  return async ({ request, caller }) => {
    const { path, body } = request;
    const id = poolId(path.id);
    const codes = newCodes(body);
    return await performOnce(
      caller,
      { operation: 'addCouponCodes', key: body.idempotency_key, request },
      {
        perform: (once: Once<AddedCodes | undefined>) =>
          writing(caller.storeId, (db) => addCodes(db, caller.storeId, id, codes, once)),
        answer: (result) => {
          const { added, duplicate } = existingPool(result);
          const answered = { added_count: added, duplicate_count: duplicate };
          return { status: 200 as const, body: answered, isRepeatable: 'codes' in codes };
        },
      },
    );
  };
}

function newCodes({ codes, generate }: { codes?: readonly string[]; generate?: number }): NewCodes {
  if (codes && generate !== undefined) throw invalid({ path: ['generate'], problem: 'must not come with codes' });
  if (codes) return { codes };
  if (generate !== undefined) return { generate };
  throw invalid({ path: ['codes'], problem: 'or generate is required' });
}
