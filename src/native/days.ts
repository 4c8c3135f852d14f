import type { Days } from '../domain/automations/stats.ts';
import { invalid } from '../domain/service-error.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days of a range, by default and at most. */
const [DEFAULT_DAYS, MAX_DAYS] = [30, 366];
/** The 1st of January of the year 1. */
const EARLIEST = -719_162;

/** Converts validated dates. Throws `validation_error` unless they are a range of days that can be counted. */
export function toDays(query: { from?: string; to?: string }, most = MAX_DAYS): Days {
  const last = query.to === undefined ? Math.floor(Date.now() / DAY_MS) : dayOf(query.to);
  const first = query.from === undefined ? last - DEFAULT_DAYS + 1 : dayOf(query.from);
  if (first > last) throw invalid({ path: ['from'], problem: 'must not be after to' });
  if (first < EARLIEST) throw invalid({ path: [query.from === undefined ? 'to' : 'from'], problem: 'is too long ago' });
  if (last - first >= most) throw invalid({ path: ['from'], problem: `is more than ${most} days before to` });
  return { first, last };
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00Z`) / DAY_MS;
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
