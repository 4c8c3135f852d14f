import type { CouponCode as RenderedCode, CouponPool as RenderedPool } from '../../../generated/native/types.gen.ts';
import type { CouponCode } from '../../domain/coupons/codes/codes.ts';
import type { CouponPool } from '../../domain/coupons/pools/pools.ts';

export function renderPool({ counts, ...pool }: CouponPool): RenderedPool {
  const { assigned = 0, used = 0, void: voided = 0 } = counts;
  const free = pool.codes - assigned - used - voided;
  return {
    id: pool.id,
    name: pool.name,
    kind: pool.kind,
    per: pool.per,
    pattern: pool.pattern,
    low_below: pool.lowBelow,
    is_low: pool.lowBelow !== null && free < pool.lowBelow,
    expires_at: pool.expiresAt?.toISOString() ?? null,
    code_count: pool.codes,
    free_count: free,
    assigned_count: assigned,
    used_count: used,
    void_count: voided,
    created_at: pool.createdAt.toISOString(),
    updated_at: pool.updatedAt.toISOString(),
  };
}

export function renderCode(code: CouponCode): RenderedCode {
  return {
    code: code.code,
    pool_id: code.poolId,
    status: code.status,
    profile_id: code.profileId,
    run_id: code.runId,
    order_id: code.orderId,
    created_at: code.createdAt.toISOString(),
    assigned_at: code.assignedAt?.toISOString() ?? null,
    used_at: code.usedAt?.toISOString() ?? null,
  };
}
