/** Failures in a row after which a receiver rests between single attempts. */
export const BREAKER_FAILURES = 10;
/** Milliseconds of the first rest, and of the longest. */
const [REST_MS, MAX_REST_MS] = [30_000, 10 * 60_000];

/** Returns the milliseconds for which a receiver rests after so many failures in a row; 0 while these are few. */
export function breakerRest(failures: number): number {
  if (failures < BREAKER_FAILURES) return 0;
  return Math.min(REST_MS * 2 ** Math.min(failures - BREAKER_FAILURES, 10), MAX_REST_MS);
}
