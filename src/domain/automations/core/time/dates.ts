import { parseDuration } from '../../../time/duration.ts';
import { atLocal, zoned } from '../../../time/local.ts';
import { parseMoment } from '../../../time/moment.ts';
import type { DateTrigger } from '../definition/definition.ts';

/** The date is written first, in a date alone and in a timestamp. A birthday is that date wherever one is. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:$|[Tt ]\d\d:\d\d)/;

/** An occasion of a date trigger. */
export interface Occasion {
  /** Milliseconds. */
  dueAt: number;
  /** The date that it is for, before the offset: `2026-02-28`. */
  day: string;
}

/** Returns the first occasion after a moment; undefined if there is none, or the value is not a date. */
export function nextOccasion(trigger: DateTrigger, value: unknown, zone: string, after: number): Occasion | undefined {
  const date = parseDate(value);
  if (!date) return undefined;
  if (trigger.repeat === 'once') {
    const occasion = occasionOn(date, trigger, zone);
    return occasion.dueAt > after ? occasion : undefined;
  }
  // An offset is shorter than two years, so that the occasions of this span surround the moment.
  const { year } = zoned(after, zone);
  for (let each = year - 2; each <= year + 3; each += 1) {
    if (each < date.year) continue;
    const occasion = occasionOn(inYear(date, each), trigger, zone);
    if (occasion.dueAt > after) return occasion;
  }
  // Born in the far future.
  return occasionOn(date, trigger, zone);
}

export function parseDate(value: unknown): Temporal.PlainDate | undefined {
  const match = typeof value === 'string' ? DATE.exec(value) : null;
  if (!match) return undefined;
  try {
    return Temporal.PlainDate.from(match[1] as string, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

/**
 * Returns the moment so long before or after a date, in milliseconds; undefined if the value is none. A date alone begins at
 * midnight, and a timestamp has a time of day of its own, unless it is to be another one.
 */
export function momentBeside(
  value: unknown,
  { offset = 'P0D', at }: { offset?: string; at?: string },
  zone: string,
): number | undefined {
  const moment = parseMoment(value);
  const { days, ms } = parseDuration(offset) ?? { days: 0, ms: 0 };
  if (moment === undefined) return undefined;
  const isDay = DAY_ALONE.test(value as string);
  const local = isDay ? Temporal.PlainDate.from(value as string).toZonedDateTime(zone) : zoned(moment, zone);
  const day = local.add({ days });
  return (at === undefined ? day.epochMilliseconds : atLocal(day.toPlainDate(), at, zone)) + ms;
}

const DAY_ALONE = /^\d{4}-\d\d-\d\d$/;

/** 29 February is 28 February in other years. */
function inYear(date: Temporal.PlainDate, year: number): Temporal.PlainDate {
  return date.with({ year }, { overflow: 'constrain' });
}

/** Days of the offset are of the calendar: a week before at 09:00 is at 09:00, also where the clock changes between. */
function occasionOn(date: Temporal.PlainDate, { offset, at }: DateTrigger, zone: string): Occasion {
  const { days, ms } = parseDuration(offset ?? 'P0D') ?? { days: 0, ms: 0 };
  return { dueAt: atLocal(date.add({ days }), at, zone) + ms, day: date.toString() };
}
