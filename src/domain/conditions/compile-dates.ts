import { sql } from 'kysely';
import { DAY } from '../time/duration.ts';
import type { Name } from './comparison.ts';
import { momentAt, type Sql, timeAt, valueAt } from './compile-comparison.ts';
import { changesAfter, DATE_LENGTH, type DateBounds, type DateTest, dateBounds, zoneOfDays } from './dates.ts';

interface Compiled {
  /** Never null. */
  truth: Sql;
  /** A moment before which it does not change although nothing happens; null if it never will. */
  next: Sql | null;
}

interface Place {
  /** Milliseconds. */
  now: number;
  /** Those of the customer, which may name a zone. */
  attributes: Sql;
  /** The names of zones that customers have there. */
  zones: readonly string[];
}

/** Compares a date with where it must lie from today. */
export function compileDate(value: Sql, test: DateTest, place: Place): Compiled {
  const own = dateBounds(test, place.now, zoneOfDays(test.time_zone, undefined));
  // The bounds are data: a statement with those of each zone would be far longer. What is read of the date is read once.
  const from = sql`(select ${momentAt(value)} as moment, ${value} #>> '{}' as text, ${boundsOf(test, own, place)} as b offset 0) as date`;
  const select = (what: Sql) => sql`(select ${what} from ${from})`;
  const { isIn, next } = 'daysOfYears' in own ? ofAnniversary(own) : ofRange(own);
  return { truth: sql`coalesce(${select(isIn)}, false)`, next: next && select(next) };
}

/** The bounds for a customer, as jsonb: those of their zone. */
function boundsOf(test: DateTest, own: DateBounds, { now, attributes, zones }: Place): Sql {
  const { time_zone: zone } = test;
  if (typeof zone !== 'object' || zones.length === 0) return asJson(dataOf(own));
  const byZone = Object.fromEntries(zones.map((name) => [name, dataOf(dateBounds(test, now, name))]));
  const name = valueAt(attributes, zone.attribute as Name);
  return sql`coalesce(
    case when jsonb_typeof(${name}) = 'string' then ${asJson(byZone)} -> (${name} #>> '{}') end, ${asJson(dataOf(own))})`;
}

function dataOf(bounds: DateBounds): unknown {
  if (!('daysOfYears' in bounds)) {
    const { dates, timestamps, rollsAt } = bounds;
    return [dates.from, dates.to, timestamps.from, timestamps.to, rollsAt];
  }
  return [bounds.today, Object.fromEntries(bounds.daysOfYears), null, null, bounds.rollsAt];
}

function asJson(data: unknown): Sql {
  return sql`${JSON.stringify(data)}::jsonb`;
}

/** A time of the bounds by its position; null where they have no end. */
function boundAt(position: number): Sql {
  return sql`('epoch'::timestamptz + (b ->> ${sql.lit(position)})::float8 * interval '1 millisecond')`;
}

const ROLLS_AT = boundAt(4);

interface Parts {
  isIn: Sql;
  next: Sql | null;
}

function ofRange({ days, dates, rollsAt }: Extract<DateBounds, { dates: unknown }>): Parts {
  const inside = (from: Sql, to: Sql) =>
    sql`moment >= coalesce(${from}, '-infinity') and moment < coalesce(${to}, 'infinity')`;
  const isIn = sql`case when length(text) = ${sql.lit(DATE_LENGTH)} then ${inside(boundAt(0), boundAt(1))}
    else ${inside(boundAt(2), boundAt(3))} end`;
  if (rollsAt === null) return { isIn, next: null };
  // A date comes nearer: it enters at the last of the days, and leaves after the first.
  const soon = (days: number | null) =>
    days === null
      ? sql`null::timestamptz`
      : sql`greatest(${ROLLS_AT}, moment + ${secondsOf(changesAfter(days))}::interval)`;
  const leaving = soon(days.from === null ? null : days.from - 1);
  // What has left is older than the first of the days.
  const isOver = dates.from === null ? sql`false` : sql`moment < ${timeAt(dates.from - 4 * DAY)}`;
  const next = sql`case
    when moment is null then null
    when ${isIn} then ${leaving}
    when ${isOver} then null
    else ${soon(days.to)}
  end`;
  return { isIn, next };
}

function ofAnniversary({ days }: Extract<DateBounds, { daysOfYears: unknown }>): Parts {
  const isIn = sql`moment is not null and exists (
    select from jsonb_each(b -> 1) as of_year (year, days)
    where "left"(text, 4)::int <= year::int and days ? substr(text, 6, 5))`;
  // How many days before the first of them, at least: a year may have one less, and the day may come a day earlier.
  const today = sql`(${boundAt(0)} at time zone 'UTC')::date`;
  const day = sql`make_date(extract(year from ${today})::int, substr(text, 6, 2)::int, 1) + substr(text, 9, 2)::int - 1`;
  const ahead = sql`greatest(0, ((${day} - ${today} - ${sql.lit(days.to)}) % 365 + 365) % 365 - 3)`;
  const next = sql`case
    when moment is null then null
    when ${isIn} then ${ROLLS_AT}
    else ${ROLLS_AT} + ${ahead} * interval '24 hours'
  end`;
  return { isIn, next };
}

function secondsOf(ms: number): string {
  return `${ms / 1_000} seconds`;
}
