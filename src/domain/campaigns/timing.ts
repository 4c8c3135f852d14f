import type { Name } from '../conditions/comparison.ts';
import { invalid, type ServiceError } from '../service-error.ts';
import { DAY, parseDuration } from '../time/duration.ts';
import { atLocal, isTimeZone, nextLocal, WEEKDAYS } from '../time/local.ts';
import { type OpenHours, openMinutes } from '../time/open-hours.ts';
import { NIGHT } from '../time/quiet-hours.ts';

/** What becomes of a recipient whose local time is over when the campaign begins. */
export type PastRule = 'next_day' | 'send_now' | 'skip';

/** When a message may be sent; one that is due at another time waits for the next, or is not sent. */
export interface SendingHours extends OpenHours {
  otherwise: 'wait' | 'skip';
}

/** When the messages of a campaign go, after it has begun. */
export interface CampaignTiming {
  /** By the clock of each recipient, as `2026-12-01T09:00`; null: once it has begun. */
  localTime: string | null;
  /** Null where no clock is looked at. */
  timeZone: { attribute?: Name; default: string } | null;
  past: PastRule;
  /** Over how long they are spread, as a duration; null: not at all. */
  spread: string | null;
  hours: SendingHours | null;
}

/** Milliseconds that messages may be spread over, and ahead that they may be due. */
const [MAX_SPREAD_MS, MAX_AHEAD_MS] = [DAY, 10 * 366 * DAY];
/** The clocks of the earth are between these; each is as far ahead of UTC as it says. */
const [FIRST_ZONE, LAST_ZONE] = ['+14:00', '-12:00'];

const AT_ONCE: CampaignTiming = { localTime: null, timeZone: null, past: 'next_day', spread: null, hours: null };
/** When marketing goes by text message where nobody says otherwise. */
const DAYTIME: SendingHours = { from: NIGHT.to, to: NIGHT.from, weekdays: WEEKDAYS, otherwise: 'wait' };

/** Returns when a campaign of a class goes that is scheduled: marketing by text message is not sent at night unless it says so. */
export function timingOf(
  { channel, timing }: { channel: string; timing: CampaignTiming | null },
  messageClass: string,
  storeZone: string | null,
): CampaignTiming | null {
  if (channel !== 'sms' || messageClass !== 'marketing' || timing?.hours) return timing;
  const { timeZone, ...rest } = timing ?? AT_ONCE;
  return { ...rest, timeZone: timeZone ?? { attribute: 'time_zone', default: storeZone ?? 'UTC' }, hours: DAYTIME };
}

/** Throws `validation_error` for what no campaign can be timed by, whenever it begins. */
export function expectTiming({ localTime, timeZone, spread, hours }: CampaignTiming): void {
  const refuse = (field: readonly string[], problem: string): ServiceError =>
    invalid({ path: ['timing', ...field], problem });
  if (localTime !== null && !isLocalTime(localTime)) {
    throw refuse(['local_time'], 'must be a date and a time of day that exist, such as 2026-12-01T09:00');
  }
  const isLocal = localTime !== null || hours !== null;
  if (isLocal && timeZone === null)
    throw refuse(['time_zone'], 'must say by which clocks local_time and hours are meant');
  if (!isLocal && timeZone !== null) throw refuse(['time_zone'], 'says nothing without local_time or hours');
  if (timeZone !== null && !isTimeZone(timeZone.default)) {
    throw refuse(['time_zone', 'default'], 'must be the name of a time zone, such as Europe/Berlin');
  }
  if (timeZone?.attribute !== undefined && timeZone.attribute.length === 0) {
    throw refuse(['time_zone', 'attribute'], 'must name an attribute');
  }
  if (hours !== null && hours.from >= hours.to) throw refuse(['hours', 'to'], 'must be later than from');
  if (spread === null) return;
  const spreadMs = msOf(spread);
  if (spreadMs === undefined || spreadMs <= 0 || spreadMs > MAX_SPREAD_MS) {
    throw refuse(['spread'], 'must be a duration of ISO 8601 of a day at most, such as PT2H');
  }
  if (hours !== null && spreadMs > openMinutes(hours) * 60_000) {
    throw refuse(['spread'], 'must not be longer than the hours of a week together');
  }
}

function isLocalTime(text: string): boolean {
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).year > 0;
  } catch {
    return false;
  }
}

/** Milliseconds; undefined for what is no duration. */
function msOf(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && duration.days * DAY + duration.ms;
}

/**
 * Returns when a campaign begins whose messages go by the clocks of its recipients: as soon as it is the time where clocks are
 * furthest ahead, or now, if that is over. Throws `validation_error` if the time is over everywhere, or more than ten years ahead.
 */
export function beginOfLocal({ localTime, timeZone }: CampaignTiming, now: number): Date {
  const isSame = timeZone?.attribute === undefined;
  const at = (zone: string) => momentOf(localTime as string, isSame ? (timeZone as { default: string }).default : zone);
  const path = ['timing', 'local_time'];
  if (at(LAST_ZONE) < now) throw invalid({ path, problem: 'must not be in the past everywhere' });
  if (at(LAST_ZONE) > now + MAX_AHEAD_MS) throw invalid({ path, problem: 'must be within ten years' });
  return new Date(Math.max(now, at(FIRST_ZONE)));
}

/** When it is a local time in a zone, in milliseconds; by the rule of `atLocal` where clocks change. */
export function momentOf(localTime: string, zone: string): number {
  return atLocal(Temporal.PlainDate.from(localTime.slice(0, 10)), localTime.slice(11), zone);
}

/** The same on the first day on which it is not before a moment. */
export function nextMomentOf(localTime: string, zone: string, from: number): number {
  const date = Temporal.PlainDate.from(localTime.slice(0, 10));
  const moment = atLocal(date, localTime.slice(11), zone);
  return moment >= from ? moment : nextLocal(from, localTime.slice(11), zone);
}
