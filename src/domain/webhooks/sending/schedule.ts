const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Milliseconds after a failed attempt until the next one: ten attempts in about 75 hours. */
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
/** No two attempts are closer to each other. */
export const FIRST_DELAY_MS = DELAYS[0];
/** The share by which delays vary, so that what failed together is not repeated together. */
const JITTER = 0.2;
const MAX_RETRY_AFTER = HOUR;

/**
 * Returns the milliseconds until the next attempt after some have failed; undefined after the last. `random` is from 0 to
 * below 1.
 */
export function retryDelay(attempts: number, random: number): number | undefined {
  const delay = DELAYS[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}

/**
 * Returns the milliseconds for which an answer asks to be left alone: `Retry-After`, in seconds or as a date, of the
 * statuses that mean it. An hour at most.
 */
export function restAsked(status: number, retryAfter: string | undefined, now: number): number | undefined {
  if (![429, 502, 503, 504].includes(status) || retryAfter === undefined) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * SECOND : Date.parse(retryAfter) - now;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER) : undefined;
}
