import { durationWords, spanParts, UNITS } from '../components/durations.ts';
import type { ConditionWindow } from '../definitions.ts';

/** In the viewer's zone, as in the fields in which the times are given. */
const at = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });

/** When something must have been: “in the last 30 days”, “between 30 and 60 days ago”. */
export function windowWords(window: ConditionWindow): string {
  if ('ago' in window) {
    const [min, max] = [spanParts(window.ago.min), spanParts(window.ago.max)];
    const from = min && min.unit === max?.unit ? min.number : spanWords(window.ago.min);
    return `between ${from} and ${spanWords(window.ago.max)} ago`;
  }
  if ('last' in window) {
    return window.calendar
      ? calendarWords(window.last, window.time_zone)
      : `in the last ${spanWords(window.last, true)}`;
  }
  const { from, to } = window;
  return to === undefined ? `since ${timeWords(from)}` : `from ${timeWords(from)} to just before ${timeWords(to)}`;
}

/** Whole days, the last of which is today. */
function calendarWords(last: string, timeZone = 'UTC'): string {
  const days = daysOf(last);
  return days === 1 ? `today (${timeZone})` : `in the last ${days || '…'} calendar days (${timeZone})`;
}

function daysOf(span: string): number {
  const parts = spanParts(span);
  if (parts) return Number(parts.number) * (parts.unit === 'w' ? 7 : 1);
  const [, weeks = 0, days = 0] = /^P(?:(\d+)W)?(?:(\d+)D)?$/.exec(span) ?? [];
  return Number(weeks) * 7 + Number(days);
}

/** “30 days”; after “the last”, a single one goes without its number. */
function spanWords(span: string, isAfterLast = false): string {
  const parts = spanParts(span);
  if (!parts) return durationWords(span);
  if (parts.number !== '1') return `${parts.number} ${UNITS[parts.unit]}`;
  const one = UNITS[parts.unit].slice(0, -1);
  return isAfterLast ? one : `1 ${one}`;
}

function timeWords(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const zoneName = zone.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value;
  const isMidnight = date.getHours() + date.getMinutes() === 0;
  return `${(isMidnight ? day : at).format(date)} (${zoneName})`;
}
