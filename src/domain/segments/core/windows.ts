import { DAY, type Duration, parseDuration } from '../../time/duration.ts';
import { zoned } from '../../time/local.ts';
import type { Window } from './definition.ts';

const SHORT = /^([1-9]\d{0,8})([smhdw])$/;

/** Ten years of days of 24 hours. */
export const MAX_SPAN_MS = 3_653 * DAY;

/** A span as automations write durations: `30d` is `P30D`, and that is itself. Undefined if it is none. */
export function parseSpan(text: string): Duration | undefined {
  const [, number, unit = ''] = SHORT.exec(text) ?? [];
  if (number === undefined) return text.startsWith('-') ? undefined : parseDuration(text);
  return parseDuration(`P${'smh'.includes(unit) ? 'T' : ''}${number}${unit.toUpperCase()}`);
}

/** Milliseconds of a span, its days of 24 hours each; undefined if it is none. */
export function spanMs(text: string): number | undefined {
  const span = parseSpan(text);
  return span && span.days * DAY + span.ms;
}

/**
 * What is in a window at a moment: times `t` with `after < t <= until`. All values are milliseconds, and times are whole
 * ones.
 */
export interface Span {
  /** Null if everything of the past is in it. */
  after: number | null;
  until: number;
  /** How long after its own time something enters, and the last time that can enter still; null without an end. */
  entersAfter: number;
  lastToEnter: number | null;
  /** How long after its own time something leaves; null if nothing does, or at `rollsAt` only. */
  leavesAfter: number | null;
  /** When something may leave a window of whole days. */
  rollsAt: number | null;
}

/** Nothing is in a window before it has happened: events may have a time in the future. */
export function spanAt(window: Window | undefined, now: number): Span {
  const ever = { after: null, until: now, entersAfter: 0, lastToEnter: null, leavesAfter: null, rollsAt: null };
  if (!window) return ever;
  if ('ago' in window) {
    const [min, max] = [spanMs(window.ago.min) as number, spanMs(window.ago.max) as number];
    return { ...ever, after: now - max, until: now - min, entersAfter: min, leavesAfter: max };
  }
  if (!('last' in window)) {
    const from = Date.parse(window.from) - 1;
    const last = window.to === undefined ? null : Date.parse(window.to) - 1;
    return { ...ever, after: from, until: last === null ? now : Math.min(now, last), lastToEnter: last };
  }
  const length = spanMs(window.last) as number;
  if (!window.calendar) return { ...ever, after: now - length, leavesAfter: length };
  const today = zoned(now, window.time_zone ?? 'UTC').startOfDay();
  const first = today.subtract({ days: length / DAY - 1 }).startOfDay();
  const tomorrow = today.add({ days: 1 }).startOfDay();
  return { ...ever, after: first.epochMilliseconds - 1, rollsAt: tomorrow.epochMilliseconds };
}
