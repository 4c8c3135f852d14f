import { sql } from 'kysely';
import { integers, texts, timestamps } from '../../db/arrays.ts';
import type { Sql } from '../../db/orm.ts';
import type { Caller } from '../api-keys.ts';
import { DAY_MS, QUARTER_MS } from '../event-counts.ts';

/** The counts of an event type, interval by interval. */
export interface EventSeries {
  /** Null for the types that are too many to be told apart. */
  eventType: string | null;
  total: number;
  counts: number[];
}

/** Event types with a series of their own, at most. */
const MAX_SERIES = 50;

/** How many events of each type happened in each of the intervals between `boundaries`; the most frequent type first. */
export async function countByInterval(
  db: Sql,
  { storeId }: Caller,
  boundaries: Date[],
  eventType: string | undefined,
): Promise<EventSeries[]> {
  const length = boundaries.length - 1;
  const [first, last] = [boundaries[0] as Date, boundaries[length] as Date];
  const spans = Array.from({ length }, (_, n) => spanOf(boundaries[n] as Date, boundaries[n + 1] as Date));
  const ofType = eventType === undefined ? sql`` : sql`and event_type = ${eventType}`;
  // `running` has for each quarter of an hour of a day what was counted until its end: two of them are all that an
  // interval needs of a day.
  const { rows } = await sql<CountRow>`
    with span as materialized (
      select n - 1 as position, first_day, skipped, last_day, taken
      from unnest(
        ${texts(spans.map(({ firstDay }) => firstDay))}::text[]::date[],
        ${integers(spans.map(({ skipped }) => skipped))}::int[],
        ${texts(spans.map(({ lastDay }) => lastDay))}::text[]::date[],
        ${integers(spans.map(({ taken }) => taken))}::int[]
      ) with ordinality as s (first_day, skipped, last_day, taken, n)
    ), counted as (
      select event_type, position, count
      from span cross join lateral (
        -- Grouped for each span by itself: a plan that joins them all may look at every day for each.
        select event_type, sum(
          running[case when day = last_day then taken else 96 end]
          - case when day = first_day and skipped > 0 then running[skipped] else 0 end) as count
        from event_day
        where store_id = ${storeId} and day between first_day and last_day ${ofType}
        group by event_type
      ) as of_span
      union all
      select event_type, width_bucket(start, ${timestamps(boundaries)}::timestamptz[]) - 1, sum(count)
      from event_count_new
      where store_id = ${storeId} and start >= ${first} and start < ${last} ${ofType}
      group by 1, 2
    )
    select event_type as "eventType", array_to_string(array_agg(position), ',') as positions,
      array_to_string(array_agg(count), ',') as counts
    from counted
    where count > 0
    group by event_type`.execute(db);
  const series = rows.map(({ eventType, positions, counts }) => {
    const one = emptySeries(eventType, length);
    const values = counts.split(',');
    for (const [n, position] of positions.split(',').entries()) add(one, Number(position), Number(values[n]));
    return one;
  });
  return topOf(series, length);
}

/** The counts of a type where there are any, and the positions of their intervals: numbers between commas. */
interface CountRow {
  eventType: string;
  positions: string;
  counts: string;
}

/** An interval as days of UTC: of the first one without the quarters of an hour before, of the last one those until. */
interface Span {
  firstDay: string;
  skipped: number;
  lastDay: string;
  taken: number;
}

const QUARTERS = DAY_MS / QUARTER_MS;

function spanOf(start: Date, end: Date): Span {
  const [from, to] = [placeOf(start), placeOf(end)];
  // An end at midnight is that of the day before.
  const last = to.quarter > 0 ? to : { day: to.day - DAY_MS, quarter: QUARTERS };
  return { firstDay: dateOf(from.day), skipped: from.quarter, lastDay: dateOf(last.day), taken: last.quarter };
}

/** The day of a time, and how many of its quarters of an hour begin before it. */
function placeOf(time: Date): { day: number; quarter: number } {
  const day = Math.floor(time.getTime() / DAY_MS) * DAY_MS;
  return { day, quarter: Math.ceil((time.getTime() - day) / QUARTER_MS) };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function emptySeries(eventType: string | null, length: number): EventSeries {
  return { eventType, total: 0, counts: new Array<number>(length).fill(0) };
}

function add(series: EventSeries, position: number, count: number): void {
  series.total += count;
  series.counts[position] = (series.counts[position] ?? 0) + count;
}

/** The most frequent types first; those beyond `MAX_SERIES` as one. */
function topOf(all: EventSeries[], length: number): EventSeries[] {
  const sorted = all.sort((a, b) => b.total - a.total);
  if (sorted.length <= MAX_SERIES) return sorted;
  const others = emptySeries(null, length);
  for (const { counts } of sorted.slice(MAX_SERIES)) {
    for (const [position, count] of counts.entries()) add(others, position, count);
  }
  return [...sorted.slice(0, MAX_SERIES), others];
}
