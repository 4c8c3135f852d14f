export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** `HH:MM` from 00:00 to 23:59. */
export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Whether it is the name of a time zone of the IANA database; offsets such as `+02:00` have no name. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

export function zoned(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}

/**
 * Returns when it is a time of day at a date, in milliseconds: where the clock skips it, as much later as it skips;
 * where it comes twice, the first time.
 */
export function atLocal(date: Temporal.PlainDate, time: string, zone: string): number {
  return date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
}

/** Returns the first moment from `from` on at which it is a time of day, on one of the weekdays if some are given. */
export function nextLocal(from: number, time: string, zone: string, weekdays: readonly Weekday[] = WEEKDAYS): number {
  // Where the clock skips midnight, a time of the evening before may come on the next day.
  let date = zoned(from, zone).toPlainDate().subtract({ days: 1 });
  for (;;) {
    const moment = atLocal(date, time, zone);
    if (moment >= from && weekdays.includes(WEEKDAYS[date.dayOfWeek - 1] as Weekday)) return moment;
    date = date.add({ days: 1 });
  }
}

export function iso(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'millisecond' });
}
