import { DAY, durationMs } from '../time/duration.ts';
import { zoned } from '../time/local.ts';

/** A time span that ends now; or in whole days of a time zone, today among them. Spans are durations of ISO 8601. */
export interface LastWindow {
  last: string;
  calendar?: boolean;
  time_zone?: string;
}
/** Timestamps of RFC 3339; `to` is excluded. */
export interface BetweenWindow {
  from: string;
  to?: string;
}
/** Longer ago than `min`, and not longer than `max`. */
export interface AgoWindow {
  ago: { min: string; max: string };
}
export type Window = LastWindow | BetweenWindow | AgoWindow;

/** Ten years of days of 24 hours. */
export const MAX_SPAN_MS = 3_653 * DAY;

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

/** When something must have been that a condition asks for: in a window, or within a duration of which both ends count. */
export function spanOf({ window, within }: { window?: Window; within?: string }, now: number): Span {
  if (within === undefined) return spanAt(window, now);
  const ms = durationMs(within) + 1;
  return { ...spanAt(undefined, now), after: now - ms, leavesAfter: ms };
}

/** When somebody must have joined that has been there for so long, or since a time in a window. */
export function spanOfJoined({ joined, for: length }: { joined?: Window; for?: string }, now: number): Span {
  if (length === undefined) return spanAt(joined, now);
  const ms = durationMs(length);
  return { ...spanAt(undefined, now), until: now - ms, entersAfter: ms };
}

export function isInSpan({ after, until }: Span, time: number): boolean {
  return (after === null || time > after) && time <= until;
}

/** From when on anything matters that is in one of several windows; null for all of it. */
export function earliestOf(spans: readonly Span[]): number | null {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { after } of spans) {
    if (after === null) return null;
    earliest = Math.min(earliest, after);
  }
  return earliest;
}

/** Nothing is in a window before it has happened: events may have a time in the future. */
export function spanAt(window: Window | undefined, now: number): Span {
  const ever = { after: null, until: now, entersAfter: 0, lastToEnter: null, leavesAfter: null, rollsAt: null };
  if (!window) return ever;
  if ('ago' in window) {
    const [min, max] = [durationMs(window.ago.min), durationMs(window.ago.max)];
    return { ...ever, after: now - max, until: now - min, entersAfter: min, leavesAfter: max };
  }
  if (!('last' in window)) {
    const from = Date.parse(window.from) - 1;
    const last = window.to === undefined ? null : Date.parse(window.to) - 1;
    return { ...ever, after: from, until: last === null ? now : Math.min(now, last), lastToEnter: last };
  }
  const length = durationMs(window.last);
  if (!window.calendar) return { ...ever, after: now - length, leavesAfter: length };
  const today = zoned(now, window.time_zone ?? 'UTC').startOfDay();
  const first = today.subtract({ days: length / DAY - 1 }).startOfDay();
  const tomorrow = today.add({ days: 1 }).startOfDay();
  return { ...ever, after: first.epochMilliseconds - 1, rollsAt: tomorrow.epochMilliseconds };
}
