import { BREAKER_FAILURES, breakerRest } from '../../../engine/breaker.ts';
import { type AttemptResult, isDelivered } from '../deliveries/attempt.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Milliseconds of nothing but failures after which an endpoint is disabled, and how many these have to be. */
const [MAX_FAILING_MS, MIN_FAILURES] = [5 * 24 * HOUR_MS, 10];
/**
 * Milliseconds without an attempt after which failures count anew: an endpoint that is sent something twice a month has not
 * failed for two weeks. Longer than any delivery waits for its next attempt.
 */
const MAX_GAP_MS = 36 * HOUR_MS;
const GONE = 410;

/** How an endpoint does. Times are milliseconds. */
export interface Health {
  failures: number;
  failingSince: number | null;
  lastFailedAt: number | null;
  restingUntil: number | null;
  /** Why nothing is sent to it from now on. */
  disabled: 'gone' | 'failing' | null;
}

/**
 * What the result of an attempt means for the health of its endpoint. Failures that were under way when its rest began
 * count no more, and do not prolong it: they happened together, not one after the other.
 */
export function healthAfter(before: Health, result: AttemptResult, now: number): Health {
  if (isDelivered(result) || result.isRefusal) {
    return { ...before, failures: 0, failingSince: null, lastFailedAt: null, restingUntil: null };
  }
  const isAnew = before.lastFailedAt === null || now - before.lastFailedAt > MAX_GAP_MS;
  const counted = isAnew ? 0 : before.failures;
  const isBroken = counted >= BREAKER_FAILURES && (before.restingUntil ?? 0) > now;
  const failures = isBroken ? counted : counted + 1;
  const failingSince = isAnew ? now : (before.failingSince ?? now);
  const rest = Math.max(result.restMs ?? 0, isBroken ? 0 : breakerRest(failures));
  const restingUntil = Math.max(before.restingUntil ?? 0, rest > 0 ? now + rest : 0) || null;
  const isFailing = now - failingSince >= MAX_FAILING_MS && failures >= MIN_FAILURES;
  const disabled = before.disabled ?? (result.status === GONE ? 'gone' : isFailing ? 'failing' : null);
  return { failures, failingSince, lastFailedAt: now, restingUntil, disabled };
}
