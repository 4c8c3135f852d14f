/** A day of a calendar, as text: `2026-11-20`. */
export type Day = string;

const DAY_MS = 24 * 60 * 60 * 1000;

export function addDays(day: Day, days: number): Day {
  return dayAt(Date.parse(day) + days * DAY_MS);
}

/** How many days there are from one to another, both included. */
export function daysBetween(first: Day, last: Day): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
}

/** The same day of an earlier month; the last one of that, where it has none. */
export function monthsBefore(day: Day, months: number): Day {
  const start = startOfMonth(day, -months);
  const same = addDays(start, Number(day.slice(8)) - 1);
  return same.slice(0, 7) === start.slice(0, 7) ? same : endOfMonth(start);
}

export function endOfMonth(day: Day): Day {
  return addDays(startOfMonth(day, 1), -1);
}

/** The first of the month that is some months later, or earlier. */
export function startOfMonth(day: Day, months = 0): Day {
  return dayAt(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months));
}

/** The Monday of its week. */
export function startOfWeek(day: Day): Day {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayAt(Date.parse(text)) === text;
}

/** The day that it is in a time zone at a time, in milliseconds. */
export function dayIn(timeZone: string, time: number): Day {
  return dayAt(localOf(timeZone, time));
}

/** When a day begins in a time zone, in milliseconds: at the first moment of it, where the clocks skip midnight. */
export function startIn(timeZone: string, day: Day): number {
  const midnight = Date.parse(day);
  const offsets = [-DAY_MS, DAY_MS].map((ms) => localOf(timeZone, midnight + ms) - (midnight + ms));
  const [first, second] = offsets.map((offset) => midnight - offset).sort((a, b) => a - b) as [number, number];
  return localOf(timeZone, first) >= midnight ? first : second;
}

function dayAt(ms: number): Day {
  return new Date(ms).toISOString().slice(0, 10);
}

/** What clocks show, as if they were in UTC. */
function localOf(timeZone: string, time: number): number {
  const parts = formatOf(timeZone).formatToParts(time);
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((name) =>
    Number(parts.find(({ type }) => type === name)?.value),
  ) as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}
