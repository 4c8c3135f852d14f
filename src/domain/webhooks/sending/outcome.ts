import { nextAttemptAt } from '../../../engine/last-attempt.ts';
import { type AttemptResult, isDelivered } from '../deliveries/attempt.ts';
import type { ClaimedDelivery } from './claim.ts';
import { FIRST_DELAY_MS, retryDelay } from './schedule.ts';

/** What becomes of a delivery. Times are milliseconds. */
export interface Outcome {
  status: 'pending' | 'delivered' | 'failed' | 'expired';
  /** When it is sent again; null if it is not. */
  dueAt: number | null;
}

/** What becomes of a delivery after an attempt. `random` is from 0 to below 1. */
export function outcomeOf(
  { attempt, expiresAt }: Pick<ClaimedDelivery, 'attempt' | 'expiresAt'>,
  result: AttemptResult,
  now: number,
  random: number,
): Outcome {
  if (isDelivered(result)) return { status: 'delivered', dueAt: null };
  if (result.isRefusal) return { status: 'failed', dueAt: null };
  const delay = retryDelay(attempt + 1, random);
  if (delay === undefined) return { status: 'failed', dueAt: null };
  const rest = result.restMs ?? 0;
  const dueAt = nextAttemptAt({
    planned: now + Math.max(delay, rest),
    earliest: now + Math.max(FIRST_DELAY_MS, rest),
    expiresAt,
  });
  return dueAt === undefined ? { status: 'expired', dueAt: null } : { status: 'pending', dueAt };
}
