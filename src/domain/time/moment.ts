/** Postgres can store every `Date` between these. */
export const EARLIEST = new Date(0);
EARLIEST.setUTCFullYear(1);
export const LATEST = new Date(Date.UTC(9999, 0));

const DATE = /^(?!0000)\d{4}-\d\d-\d\d$/;
const TIMESTAMP = /^(?!0000)\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Returns the milliseconds of a timestamp of RFC 3339, or of a date's first moment in UTC; undefined for all else, and for
 * the year 0, which Postgres does not know.
 */
export function parseMoment(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = DATE.test(value) ? `${value}T00:00Z` : TIMESTAMP.test(value) ? value : undefined;
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}
