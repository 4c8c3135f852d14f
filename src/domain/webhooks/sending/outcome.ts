import { type AttemptResult, isDelivered } from '../deliveries/attempt.ts';
import type { ClaimedDelivery } from './claim.ts';
import { retryDelay } from './schedule.ts';

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
  const delay = retryDelay(attempt + 1, random);
  if (delay === undefined) return { status: 'failed', dueAt: null };
  const dueAt = now + Math.max(delay, result.restMs ?? 0);
  if (expiresAt !== null && dueAt >= expiresAt) return { status: 'expired', dueAt: null };
  return { status: 'pending', dueAt };
}
