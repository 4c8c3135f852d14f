const DAY_MS = 86_400_000;

/** A date and a time of day, in UTC, that are so many days ahead; also where a day begins while a test runs. */
export function inDays(days: number): { day: string; at: string } {
  const moment = new Date(Date.now() + days * DAY_MS).toISOString();
  return { day: moment.slice(0, 10), at: moment.slice(11, 16) };
}

/** The duration from a birthday to the next one; that of 29 February is on the 28th. */
export function toNextBirthday(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const lastOfMonth = new Date(Date.UTC(year + 1, month, 0)).getUTCDate();
  const next = Date.UTC(year + 1, month - 1, Math.min(date, lastOfMonth));
  return `P${(next - Date.UTC(year, month - 1, date)) / DAY_MS}D`;
}
