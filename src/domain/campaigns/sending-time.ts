import { lookUp } from '../conditions/lookup.ts';
import type { Sender } from '../senders/sender.ts';
import { limitOfDay } from '../senders/warm-up.ts';
import { DAY } from '../time/duration.ts';
import { type OpenHours, OpenTimes, openMinutes } from '../time/open-hours.ts';
import { DueTimes } from './due-times.ts';
import type { CampaignTiming } from './timing.ts';

const DAY_S = 86_400;
/** What limits how fast a sender sends. */
type Pace = Pick<Sender, 'maxPerSecond' | 'maxPerDay' | 'warmUp'>;
/** The last recipients of a spread. */
const LAST = 0.999_999;

/**
 * Returns how many seconds a campaign takes from its begin, in milliseconds, until its last message goes: at the rate of its
 * sender, if nothing else is sent by it, and at the times that its timing says. `attributes` are those of some of its recipients,
 * by whose time zones it goes.
 */
export function sendingSeconds(
  timing: CampaignTiming | null,
  begin: number,
  recipients: number,
  sender: Pace,
  attributes: readonly unknown[],
): number {
  const atRate = secondsAtRate(recipients, sender);
  if (!timing || recipients === 0) return atRate;
  const times = new DueTimes(timing, { scheduledAt: begin, startedAt: begin });
  const attribute = timing.timeZone?.attribute;
  const zones = attribute === undefined ? [null] : attributes.map((of) => lookUp(of, attribute) ?? null);
  const due = (zones.length > 0 ? zones : [null]).map((zone) => times.of(zone, LAST)).filter(({ skipped }) => !skipped);
  const lastDue = Math.max(begin, ...due.map(({ at }) => at));
  // What a slow sender has left over, it sends in the hours alone.
  const slow = timing.hours
    ? openFor(timing.hours, timing.timeZone?.default ?? 'UTC', begin, atRate * 1000)
    : begin + atRate * 1000;
  return Math.ceil((Math.max(lastDue, slow) - begin) / 1000);
}

/** When it has been open for so many milliseconds, which may be very many: weeks are not looked at one by one. */
function openFor(hours: OpenHours, zone: string, begin: number, ms: number): number {
  const ofWeek = openMinutes(hours) * 60_000;
  const weeks = Math.floor(ms / ofWeek);
  return new OpenTimes(hours, zone, begin).after(ms - weeks * ofWeek) + weeks * 7 * DAY;
}

function secondsAtRate(count: number, { maxPerSecond, maxPerDay, warmUp }: Pace): number {
  const mostOn = (day: number) =>
    Math.min(
      maxPerDay ?? Number.POSITIVE_INFINITY,
      (warmUp && limitOfDay(warmUp, warmUp.days + day)) ?? Number.POSITIVE_INFINITY,
    );
  let [left, day] = [count, 0];
  // The ladder doubles, so it ends.
  while (warmUp && limitOfDay(warmUp, warmUp.days + day) !== null && left > mostOn(day)) {
    left -= mostOn(day);
    day += 1;
  }
  const most = mostOn(day);
  const days = left > most ? Math.ceil(left / most) - 1 : 0;
  const last = days === 0 ? left : left - days * most;
  return (day + days) * DAY_S + Math.ceil(last / maxPerSecond);
}
