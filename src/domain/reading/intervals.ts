import { invalid } from '../service-error.ts';
import { LATEST } from '../time/moment.ts';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

const MAX_INTERVALS = 750;

/** The length of a range without a start. */
const DEFAULT_LENGTH: Record<Interval, Temporal.DurationLike> = {
  hour: { hours: 24 },
  day: { days: 30 },
  week: { weeks: 12 },
  month: { months: 12 },
};

/** Returns the start of each interval of a time zone that overlaps a range, and the end of the last one. */
export function boundariesOf(interval: Interval, timeZone: string, from: Date | undefined, to = new Date()): Date[] {
  expectTimeZone(timeZone);
  const end = zoned(to, timeZone);
  const start = from ? zoned(from, timeZone) : end.subtract(DEFAULT_LENGTH[interval]);
  if (start.epochMilliseconds >= to.getTime()) throw invalid({ path: ['from'], problem: 'must be before to' });
  const first = startOf(interval, start);
  if (first.year < 1) throw invalid({ path: [from ? 'from' : 'to'], problem: 'is too long ago' });
  if (to >= LATEST) throw invalid({ path: ['to'], problem: 'is too far ahead' });
  const boundaries = [first.epochMilliseconds];
  for (let n = 1; (boundaries.at(-1) as number) < to.getTime(); n += 1) {
    if (n > MAX_INTERVALS) {
      throw invalid({ path: ['from'], problem: `is more than ${MAX_INTERVALS} intervals before to` });
    }
    boundaries.push(nth(interval, first, n));
  }
  return boundaries.map((ms) => new Date(ms));
}

/** Throws `validation_error` unless it is the name of a time zone. */
export function expectTimeZone(name: string): void {
  if (!isTimeZone(name)) throw invalid({ path: ['time_zone'], problem: 'is not the name of a time zone' });
}

function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

function zoned(time: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone);
}

function startOf(interval: Interval, time: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (interval === 'hour') return time.round({ smallestUnit: 'hour', roundingMode: 'floor' });
  if (interval === 'day') return time.startOfDay();
  const days = interval === 'week' ? time.dayOfWeek - 1 : time.day - 1;
  return time.subtract({ days }).startOfDay();
}

/** Computed from the first interval by calendar date: a day need not have 24 hours or begin at midnight. */
function nth(interval: Interval, first: Temporal.ZonedDateTime, n: number): number {
  if (interval === 'hour') return first.epochMilliseconds + n * 60 * 60 * 1000;
  const date = first.toPlainDate().add({ [`${interval}s`]: n });
  return date.toZonedDateTime(first.timeZoneId).epochMilliseconds;
}
