import { DAY, parseDuration } from '../time/duration.ts';
import { isTimeZone, zoned } from '../time/local.ts';
import type { Name } from './comparison.ts';

/** Whose days are meant: those of a time zone of the IANA database, or of that which an attribute of the customer names. */
export type ZoneOfDays = string | { attribute: Name; default: string };

/** A date, and where it must lie from today: durations are of whole days. Exactly one of the last five is there. */
export interface DateTest {
  /** Of the profile; or the property of an event. */
  attribute?: Name;
  property?: Name;
  /** By default UTC. */
  time_zone?: ZoneOfDays;
  /** The days of the span end with today. */
  last?: string;
  /** The days of the span begin with today. */
  next?: string;
  /** A date, or so many days from today, before it if negative: neither includes the day itself. */
  before?: string;
  after?: string;
  anniversary?: Anniversary;
}

/** So many days from today, or on one of the days of a span that begins with today. */
export interface Anniversary {
  in?: string;
  next?: string;
}

export const DATE_SPANS = ['last', 'next', 'before', 'after', 'anniversary'] as const;

/** Days from today, both included; null for no end. */
interface Days {
  from: number | null;
  to: number | null;
}

/** What a date must be to pass at a moment. All values are milliseconds. */
export type DateBounds = RangeBounds | AnniversaryBounds;

interface RangeBounds {
  /** `from <= date < to`, of dates alone as midnights of UTC, and of timestamps; null for no end. */
  dates: { from: number | null; to: number | null };
  timestamps: { from: number | null; to: number | null };
  /** When tomorrow begins, if the bounds move with the days; null if they are dates. */
  rollsAt: number | null;
  days: Days;
}

interface AnniversaryBounds {
  /** The days on which it is to be, by year. */
  daysOfYears: ReadonlyMap<number, readonly string[]>;
  rollsAt: number;
  /** Today, as a midnight of UTC. */
  today: number;
  days: { from: number; to: number };
}

/** The name of the zone in which a date is meant: `value` is what the attribute that it may name holds. */
export function zoneOfDays(zone: ZoneOfDays | undefined, value: unknown): string {
  if (zone === undefined) return 'UTC';
  if (typeof zone === 'string') return zone;
  return typeof value === 'string' && isTimeZone(value) ? value : zone.default;
}

/** Those of a day, for the evaluations that follow: customers may have many zones. */
const known = new Map<string, { from: number; until: number; bounds: DateBounds }>();
const MAX_KNOWN = 5_000;

export function dateBounds(test: DateTest, now: number, zone: string): DateBounds {
  const key = JSON.stringify([zone, DATE_SPANS.map((name) => test[name] ?? null)]);
  const found = known.get(key);
  if (found && now >= found.from && now < found.until) return found.bounds;
  if (known.size >= MAX_KNOWN) known.clear();
  const today = zoned(now, zone).startOfDay();
  const [from, until] = [today.epochMilliseconds, today.add({ days: 1 }).startOfDay().epochMilliseconds];
  const bounds = boundsOfDay(test, today, until);
  known.set(key, { from, until, bounds });
  return bounds;
}

function boundsOfDay(test: DateTest, today: Temporal.ZonedDateTime, rollsAt: number): DateBounds {
  const zone = today.timeZoneId;
  const plain = today.toPlainDate();
  if (test.anniversary) {
    const days = daysOfAnniversary(test.anniversary);
    return { daysOfYears: daysOfYears(plain, days), rollsAt, today: midnight(plain), days };
  }
  const fixed = fixedDay(test);
  const days = fixed ? daysBeside(test) : daysOf(test);
  const base = fixed ?? plain;
  const first = days.from === null ? null : base.add({ days: days.from });
  const beyond = days.to === null ? null : base.add({ days: days.to + 1 });
  const start = (date: Temporal.PlainDate | null) =>
    date === null ? null : date.toZonedDateTime(zone).epochMilliseconds;
  return {
    dates: { from: first && midnight(first), to: beyond && midnight(beyond) },
    timestamps: { from: start(first), to: start(beyond) },
    rollsAt: fixed ? null : rollsAt,
    days,
  };
}

/** Whether a date passes: `ms` is the moment of a timestamp, or of a date's first one in UTC; `text` how it is written. */
export function isWithin(bounds: DateBounds, text: string, ms: number): boolean {
  if ('daysOfYears' in bounds) {
    const [year, day] = [Number(text.slice(0, 4)), text.slice(5, 10)];
    return [...bounds.daysOfYears].some(([each, days]) => year <= each && days.includes(day));
  }
  const { from, to } = text.length === DATE_LENGTH ? bounds.dates : bounds.timestamps;
  return (from === null || ms >= from) && (to === null || ms < to);
}

/** That of `2026-11-28`. */
export const DATE_LENGTH = 10;

/** Whether what a test says changes with the days. */
export function movesWithDays(test: DateTest): boolean {
  return test.anniversary !== undefined || fixedDay(test) === undefined;
}

/** The day that `before` or `after` names, if it is one. */
export function fixedDay({ before, after }: DateTest): Temporal.PlainDate | undefined {
  const text = before ?? after;
  return text === undefined || parseDuration(text) ? undefined : Temporal.PlainDate.from(text);
}

function daysBeside({ before }: DateTest): Days {
  return before === undefined ? { from: 1, to: null } : { from: null, to: -1 };
}

function daysOf({ last, next, before, after }: DateTest): Days {
  if (last !== undefined) return { from: 1 - daysIn(last), to: 0 };
  if (next !== undefined) return { from: 0, to: daysIn(next) - 1 };
  if (before !== undefined) return { from: null, to: daysIn(before) - 1 };
  return { from: daysIn(after ?? 'P0D') + 1, to: null };
}

function daysOfAnniversary({ in: ahead, next = 'P1D' }: Anniversary): { from: number; to: number } {
  if (ahead !== undefined) return { from: daysIn(ahead), to: daysIn(ahead) };
  return { from: 0, to: daysIn(next) - 1 };
}

function daysIn(duration: string): number {
  return parseDuration(duration)?.days ?? 0;
}

/** 29 February is 28 February in other years. */
function daysOfYears(today: Temporal.PlainDate, { from, to }: { from: number; to: number }): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (let ahead = from; ahead <= to; ahead += 1) {
    const date = today.add({ days: ahead });
    const day = date.toString().slice(-5);
    const ofYear = found.get(date.year) ?? [];
    found.set(date.year, [...ofYear, day, ...(day === '02-28' && !date.inLeapYear ? ['02-29'] : [])]);
  }
  return found;
}

function midnight(date: Temporal.PlainDate): number {
  return date.toZonedDateTime('UTC').epochMilliseconds;
}

/** How many days a span of days may have, and those of an anniversary. */
export const MAX_DAYS = 3_653;
export const MAX_DAYS_OF_ANNIVERSARY = 366;

/** How much a date and its day in any zone may differ, days that a clock skips or has twice included. */
const SLACK_MS = 52 * 60 * 60 * 1000;

/**
 * By how much a date is put off to be, at the latest, the moment at which it enters or leaves the bounds: the day itself may
 * begin a bit later.
 */
export function changesAfter(days: number): number {
  return -days * DAY - SLACK_MS;
}
