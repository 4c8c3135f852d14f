import { type AttemptResult, isDelivered } from '../webhooks/attempt.ts';

/** Failures in a row after which an endpoint rests between single attempts. */
export const BREAKER_FAILURES = 10;
/** Milliseconds of the first rest, and of the longest. */
const [REST_MS, MAX_REST_MS] = [30_000, 10 * 60_000];
/** Milliseconds of nothing but failures after which an endpoint is disabled. */
export const MAX_FAILING_MS = 5 * 24 * 60 * 60 * 1000;
const GONE = 410;

/** How an endpoint does. Times are milliseconds. */
export interface Health {
  failures: number;
  failingSince: number | null;
  restingUntil: number | null;
  /** Why nothing is sent to it from now on. */
  disabled: 'gone' | 'failing' | null;
}

/**
 * What the result of an attempt means for the health of its endpoint. Failures that were under way when its rest began
 * count no more, and do not prolong it: they happened together, not one after the other.
 */
export function healthAfter(before: Health, result: AttemptResult, now: number): Health {
  if (isDelivered(result)) return { ...before, failures: 0, failingSince: null, restingUntil: null };
  const isBroken = before.failures >= BREAKER_FAILURES && (before.restingUntil ?? 0) > now;
  const failures = isBroken ? before.failures : before.failures + 1;
  const failingSince = before.failingSince ?? now;
  const rest = Math.max(result.restMs ?? 0, isBroken ? 0 : breakerRest(failures));
  const restingUntil = Math.max(before.restingUntil ?? 0, rest > 0 ? now + rest : 0) || null;
  const isFailing = now - failingSince >= MAX_FAILING_MS;
  const disabled = before.disabled ?? (result.status === GONE ? 'gone' : isFailing ? 'failing' : null);
  return { failures, failingSince, restingUntil, disabled };
}

function breakerRest(failures: number): number {
  if (failures < BREAKER_FAILURES) return 0;
  return Math.min(REST_MS * 2 ** Math.min(failures - BREAKER_FAILURES, 10), MAX_REST_MS);
}
