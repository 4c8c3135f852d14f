import { sql } from 'kysely';
import type { Sql } from './compile-comparison.ts';
import type { Span } from './windows.ts';

/** A time in milliseconds as Postgres has it. */
export function at(ms: number): Sql {
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}

/** As a multiple of a second's fraction: months and days of an interval would depend on a time zone. */
export function later(time: Sql, ms: number): Sql {
  return ms === 0 ? time : sql`${time} + ${`${ms / 1_000} seconds`}::interval`;
}

/** Whether a time is in a window; false if it is null. */
export function isIn(time: Sql, { after, until }: Span): Sql {
  const isPast = sql`${time} <= ${at(until)}`;
  return after === null ? sql`coalesce(${isPast}, false)` : sql`coalesce(${isPast} and ${time} > ${at(after)}, false)`;
}

/** Whether a time is still to enter a window; false if it is null. */
export function isToEnter(time: Sql, { until, lastToEnter }: Span): Sql {
  const isComing = sql`${time} > ${at(until)}`;
  if (lastToEnter === null) return sql`coalesce(${isComing}, false)`;
  return sql`coalesce(${isComing} and ${time} <= ${at(lastToEnter)}, false)`;
}
