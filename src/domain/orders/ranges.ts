import { QUARTER_MS } from '../event-counts.ts';

/** Days of a time zone. */
interface DaysOfZone {
  first: Temporal.PlainDate;
  /** Included. */
  last: Temporal.PlainDate;
  zone: string;
}

/** The same, and what they are compared with. */
export interface ComparedRange extends DaysOfZone {
  compare: 'previous_period' | 'previous_month' | 'previous_year' | undefined;
  /** In milliseconds. */
  now: number;
}

/** The same, and what they are grouped by. */
export interface RevenueRange extends ComparedRange {
  interval: 'day' | 'week' | 'month';
}

export interface Interval {
  /** `2026-11-20`, its first day that is in the range. */
  start: string;
  /** In milliseconds; it ends before the second. */
  from: number;
  to: number;
}

/** Returns the intervals of a range, in order; weeks begin on Mondays. */
export function intervalsOf({ first, last, zone, interval }: Omit<RevenueRange, 'compare' | 'now'>): Interval[] {
  const end = last.add({ days: 1 });
  const intervals: Interval[] = [];
  let start = first;
  while (Temporal.PlainDate.compare(start, end) < 0) {
    const next = nextStart(start, interval);
    const until = Temporal.PlainDate.compare(next, end) < 0 ? next : end;
    intervals.push({ start: start.toString(), from: startOf(start, zone), to: startOf(until, zone) });
    start = until;
  }
  return intervals;
}

export function spanOf({ first, last, zone }: DaysOfZone): Pick<Interval, 'from' | 'to'> {
  return { from: startOf(first, zone), to: startOf(last.add({ days: 1 }), zone) };
}

/**
 * Returns the days that a range is compared with, and their span: if the range has not ended yet, to the same time of day, with
 * the whole quarter of an hour.
 */
export function rangeBefore(
  range: ComparedRange,
): { days: { from: string; to: string }; span: Pick<Interval, 'from' | 'to'> } | undefined {
  const { first, last, zone, compare, now } = range;
  if (compare === undefined) return undefined;
  const isUnderWay = now < spanOf(range).to;
  const back = stepBack(compare, first.until(last).days + 1);
  const lastBefore = last.subtract(back);
  // A month is compared with the whole of the one before.
  const isWhole = compare === 'previous_month' && !isUnderWay && last.day === last.daysInMonth;
  const before = {
    ...range,
    first: first.subtract(back),
    last: isWhole ? lastBefore.with({ day: lastBefore.daysInMonth }) : lastBefore,
  };
  const span = spanOf(before);
  if (isUnderWay) {
    const then = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).subtract(back).epochMilliseconds;
    const quarterEnd = (Math.floor(then / QUARTER_MS) + 1) * QUARTER_MS;
    span.to = Math.max(span.from, Math.min(span.to, quarterEnd));
  }
  return { days: { from: before.first.toString(), to: before.last.toString() }, span };
}

function stepBack(compare: NonNullable<ComparedRange['compare']>, days: number): Temporal.DurationLike {
  if (compare === 'previous_year') return { years: 1 };
  return compare === 'previous_month' ? { months: 1 } : { days };
}

function nextStart(date: Temporal.PlainDate, interval: RevenueRange['interval']): Temporal.PlainDate {
  if (interval === 'day') return date.add({ days: 1 });
  if (interval === 'week') return date.add({ days: 8 - date.dayOfWeek });
  return date.with({ day: 1 }).add({ months: 1 });
}

function startOf(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime(zone).epochMilliseconds;
}
