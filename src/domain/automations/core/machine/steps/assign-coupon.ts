import { DAY, MINUTE } from '../../../../time/duration.ts';
import type { AssignCouponStep } from '../../definition/steps.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import { StepFailed } from '../step-failed.ts';
import type { Work } from '../work.ts';
import { exitBeforeAction } from './before-action.ts';

/** Milliseconds for which a run waits for a code; and between two looks, at the least and at the most. */
export const LONGEST_WAIT = 3 * DAY;
const [SOONEST, LATEST] = [MINUTE, 15 * MINUTE];

/** The code is the customer's from then on; it is read with the pool, as what else has to be known. */
export function assignCoupon(work: Work, run: Run, step: AssignCouponStep): Run {
  const ended = exitBeforeAction(work, run);
  if (ended) return ended;
  const poolId = step.pool_id.toLowerCase();
  const coupon = work.coupon({ poolId, runId: run.id });
  if (typeof coupon !== 'string') return goTo(work, run, step.next, { outcome: 'coupon_assigned', poolId }, { coupon });
  if (coupon === 'no_pool') throw new StepFailed('coupon_pool_deleted');
  const why = { outcome: 'coupon_missing', poolId, result: coupon } as const;
  if (step.on_empty === 'continue') return goTo(work, run, step.next, { ...why, next: step.next }, { coupon: null });
  if (step.on_empty === 'exit') return work.end(work.record(run, { ...why, next: null }, {}), 'no_coupon');
  if (coupon === 'expired') throw new StepFailed('coupon_pool_expired');
  return awaitCoupon(work, run, poolId);
}

/** Looks again and again, less often the longer it has waited. */
function awaitCoupon(work: Work, run: Run, poolId: string): Run {
  const { now } = work;
  const isWaiting = run.waiting?.for === 'coupon';
  const since = isWaiting ? (run.waiting?.since as number) : now;
  const end = since + LONGEST_WAIT;
  if (now >= end) throw new StepFailed('coupon_pool_empty');
  const dueAt = Math.min(end, now + Math.min(LATEST, Math.max(SOONEST, (now - since) / 4)));
  if (isWaiting) return work.place({ ...run, dueAt, attempts: 0 });
  return work.record(
    run,
    { outcome: 'coupon_awaited', poolId, until: end },
    { dueAt, waiting: { for: 'coupon', since } },
  );
}
