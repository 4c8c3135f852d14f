import { durationMs } from '../../../time/duration.ts';
import { atLocal, WEEKDAYS, type Weekday, zoned } from '../../../time/local.ts';
import type { ScheduleTrigger } from '../definition/definition.ts';
import { type Occasion, parseDate } from './dates.ts';

/** No two days of a schedule are farther apart: from the beginning of a month to the end of the next. */
const MAX_DAYS = 63;
const DEFAULT_MAX_AGE = 'PT6H';

/**
 * Returns the first occurrence of a schedule that is after a moment and on a later day than `afterDay`; undefined if there
 * is none. A time of day that the clock skips is as much later, and one that comes twice is the first.
 */
export function nextOccurrence(
  trigger: ScheduleTrigger,
  zone: string,
  after: number,
  afterDay = '',
): Occasion | undefined {
  const occasionOn = (date: Temporal.PlainDate): Occasion | undefined => {
    const occasion = { dueAt: atLocal(date, trigger.at, zone), day: date.toString() };
    return occasion.dueAt > after && occasion.day > afterDay ? occasion : undefined;
  };
  if (trigger.repeat === 'once') {
    const date = parseDate(trigger.date);
    return date && occasionOn(date);
  }
  // Where the clock skips midnight, a time of the evening before may come on the next day.
  let date = zoned(after, zone).toPlainDate().subtract({ days: 1 });
  const last = afterDay === '' ? undefined : Temporal.PlainDate.from(afterDay);
  if (last && Temporal.PlainDate.compare(last, date) > 0) date = last;
  for (let days = 0; days <= MAX_DAYS; days += 1) {
    const occasion = isDayOf(trigger, date) ? occasionOn(date) : undefined;
    if (occasion) return occasion;
    date = date.add({ days: 1 });
  }
  return undefined;
}

/** By which clock a schedule is meant: its own, else that of the store. */
export function scheduleZone({ time_zone }: ScheduleTrigger, storeZone: string | null): string {
  return time_zone ?? storeZone ?? 'UTC';
}

/** Returns the occurrences that follow one, itself included, up to so many. */
export function occurrencesFrom(trigger: ScheduleTrigger, zone: string, first: Occasion, most: number): Occasion[] {
  const found = [first];
  while (found.length < most) {
    const { dueAt, day } = found.at(-1) as Occasion;
    const next = nextOccurrence(trigger, zone, dueAt, day);
    if (!next) break;
    found.push(next);
  }
  return found;
}

/** Until when the members may start, in milliseconds. */
export function latestStart({ max_age = DEFAULT_MAX_AGE }: ScheduleTrigger, { dueAt }: Occasion): number {
  return dueAt + durationMs(max_age);
}

/** A month without that day has its last day instead. */
function isDayOf({ repeat, weekdays = [], day = 1 }: ScheduleTrigger, date: Temporal.PlainDate): boolean {
  switch (repeat) {
    case 'weekly':
      return weekdays.includes(WEEKDAYS[date.dayOfWeek - 1] as Weekday);
    case 'monthly':
      return date.day === Math.min(day, date.daysInMonth);
    default:
      return true;
  }
}
