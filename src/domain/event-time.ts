const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const EARLIEST = Date.UTC(1990, 0, 1);
const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

/**
 * Parses an RFC 3339 timestamp with any offset, to the millisecond (finer fractions are truncated). Undefined for
 * anything else, for dates that do not exist and for leap seconds, all of which `Date` would shift silently.
 */
export function parseTime(text: string): Date | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millisecond = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59) {
    return undefined;
  }
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second, millisecond);
  return new Date(local.getTime() - offsetMs(match[8] as string));
}

/** Whether a time is allowed for an event: from 1990-01-01 to one year ahead. */
export function isEventTime(time: Date): boolean {
  return time.getTime() >= EARLIEST && time.getTime() <= Date.now() + YEAR_MS;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

function offsetMs(offset: string): number {
  if (offset.length === 1) return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}
