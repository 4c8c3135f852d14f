import { zoned } from './local.ts';

/** Times of day at which a customer is sent nothing, by the clock of a time zone. */
export interface QuietTimes {
  from: string;
  to: string;
  zone: string;
  /** What becomes of a message that is due then: by default it waits. */
  then?: 'wait' | 'skip';
}

/** When text messages wait where nobody says otherwise: a phone wakes people up. */
export const NIGHT = { from: '21:00', to: '08:00' } as const;

/** Returns when the quiet hours end that `now` is in, in milliseconds; undefined if it is in none. */
export function quietUntil({ from, to }: { from: string; to: string }, zone: string, now: number): number | undefined {
  const local = zoned(now, zone);
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to;
  return isQuiet ? nextEnd(local, to) : undefined;
}

/**
 * Where the end comes twice, as clocks are put back, the quiet hours end each time: the clock decides what is quiet.
 */
function nextEnd(now: Temporal.ZonedDateTime, to: string): number {
  for (let date = now.toPlainDate(); ; date = date.add({ days: 1 })) {
    for (const disambiguation of ['earlier', 'later'] as const) {
      const end = date.toPlainDateTime(to).toZonedDateTime(now.timeZoneId, { disambiguation }).epochMilliseconds;
      if (end > now.epochMilliseconds) return end;
    }
  }
}
