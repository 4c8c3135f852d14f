import { zoned } from '../../time/local.ts';
import type { Window } from './definition.ts';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;
const DAY = UNITS.d;
export const SPAN = /^([1-9]\d{0,8})([smhdw])$/;

/** Ten years of days of 24 hours. */
export const MAX_SPAN_MS = 3_653 * DAY;

/** Milliseconds of a span such as `30d`; undefined if it is none. */
export function spanMs(text: string): number | undefined {
  const [, count, unit] = SPAN.exec(text) ?? [];
  return count && unit ? Number(count) * UNITS[unit as keyof typeof UNITS] : undefined;
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
