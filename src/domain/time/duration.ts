export const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

/**
 * A duration of ISO 8601, of weeks, days, hours, minutes and whole seconds; months differ in length, so there are none.
 */
const DURATION =
  /^(-)?P(?=[\dT])(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

export interface Duration {
  /** Those of weeks included; negative if the duration is. */
  days: number;
  /** The rest, of the same sign. */
  ms: number;
}

/** Undefined if the text is not a duration. */
export function parseDuration(text: string): Duration | undefined {
  const match = DURATION.exec(text);
  if (!match) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const sign = match[1] ? -1 : 1;
  return { days: sign * (weeks * 7 + days), ms: sign * (hours * HOUR + minutes * MINUTE + seconds * SECOND) };
}

/** Milliseconds of a duration that has been checked, its days of 24 hours each. */
export function durationMs(text: string): number {
  const duration = parseDuration(text);
  if (!duration) throw new TypeError(`${text} is not a duration`);
  return duration.days * DAY + duration.ms;
}
