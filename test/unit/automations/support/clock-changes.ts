/** Zones with clock changes of all kinds: by an hour or half, at midnight, twice a year or once, and by a whole day. */
export const ZONES = [
  'Europe/Berlin',
  'Europe/London',
  'Europe/Lisbon',
  'Europe/Istanbul',
  'Europe/Moscow',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/Havana',
  'America/St_Johns',
  'America/Caracas',
  'Asia/Tehran',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Pyongyang',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
];

interface ClockChange {
  /** Midnight two days before, in milliseconds. */
  daysBefore: number;
  /** From then on. */
  dates: Temporal.PlainDate[];
  /** Times of day about when the clock changes. */
  timesAround: string[];
}

/** Every clock change from 2000 to 2040. */
export function* clockChanges(): Generator<{ zone: string; change: ClockChange }> {
  for (const zone of ZONES) {
    let moment = Temporal.ZonedDateTime.from({ timeZone: zone, year: 2000, month: 1, day: 1 });
    for (;;) {
      const next = moment.getTimeZoneTransition('next');
      if (!next || next.year > 2040) break;
      moment = next;
      const first = next.toPlainDate().subtract({ days: 2 });
      const before = next.subtract({ seconds: 1 }).toPlainTime();
      const timesAround = [-60, -30, 0, 15, 30, 45, 60, 75, 120].map((minutes) =>
        before.round('minute').add({ minutes }).toString({ smallestUnit: 'minute' }),
      );
      const dates = [0, 1, 2, 3].map((days) => first.add({ days }));
      yield { zone, change: { daysBefore: first.toZonedDateTime(zone).epochMilliseconds, dates, timesAround } };
    }
  }
}
