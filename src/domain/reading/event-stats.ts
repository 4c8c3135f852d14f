import { type RawBuilder, sql } from 'kysely';
import { timestamps } from '../../db/binary-arrays.ts';
import type { EventDayRecord } from '../../db/entities/event-day.ts';
import type { Sql } from '../../db/orm.ts';
import type { Caller } from '../caller.ts';
import {
  countsOf,
  countsOfTop,
  countsOfType,
  MAX_SERIES,
  ofTop,
  QUARTERS,
  type QuarterOfDay,
  quarterOfDay,
  topTypes,
} from './day-counts.ts';

/** The counts of an event type, by interval. */
export interface EventSeries {
  /** Null for all types too numerous to count individually. */
  eventType: string | null;
  total: number;
  counts: number[];
}

/**
 * Counts the events of each type in each interval between `boundaries`, the most frequent type first. Throws
 * `validation_error` if that is too much to add up.
 */
export async function countByInterval(
  db: Sql,
  { storeId }: Caller,
  boundaries: Date[],
  eventType: string | undefined,
): Promise<EventSeries[]> {
  const length = boundaries.length - 1;
  const { firstDay, days } = cut(boundaries);
  const quarters = [...new Set(days.flat().flatMap(({ from, to }) => [from, to]))].filter((quarter) => quarter > 0);
  const range = { storeId, firstDay, lastDay: firstDay + days.length - 1, boundaries };
  const top = eventType === undefined ? await topTypes(db, range, quarters.length) : undefined;
  const all = top ? countsOfTop(range, top, quarters) : countsOf(range);
  const counted = eventType === undefined ? all : countsOfType(range, eventType);
  const indexOf = (quarter: number, n: number) => (top ? n + 1 : quarter);
  const type = top ? ofTop(top) : sql`event_type`;
  const ofType = eventType === undefined ? sql`` : sql`and event_type = ${eventType}`;
  // One statement, so that summing up in between makes nothing missing or counted twice.
  const { rows } = await sql<CountRow>`
    select event_type as "eventType", true as "isSummedUp",
      ${listOf(sql`day - date 'epoch' - ${firstDay}::int`)} as places,
      concat_ws(';', ${sql.join(quarters.map((quarter, n) => listOf(sql`running[${indexOf(quarter, n)}::int]`)))}) as counts
    from ${counted} as counted
    group by event_type
    union all
    select ${type}, false, ${listOf(sql`width_bucket(start, ${timestamps(boundaries)}::timestamptz[]) - 1`)},
      ${listOf(sql`count`)}
    from event_count_new
    where store_id = ${storeId} ${ofType} and start >= ${boundaries[0]} and start < ${boundaries[length]}
    group by 1`.execute(db);
  const series = new Map<string | null, EventSeries>();
  for (const { eventType, isSummedUp, places, counts } of rows) {
    const one = series.get(eventType) ?? emptySeries(eventType, length);
    series.set(eventType, one);
    const lists = counts.split(';').map(numbersOf);
    if (isSummedUp) {
      const until: number[][] = [];
      for (const [n, quarter] of quarters.entries()) until[quarter] = lists[n] as number[];
      addDays(one, days, numbersOf(places), until);
    } else {
      for (const [n, interval] of numbersOf(places).entries()) add(one, interval, lists[0]?.[n] as number);
    }
  }
  return topOf(
    [...series.values()].filter(({ total }) => total > 0),
    length,
  );
}

/** The counts of a type as lists of numbers: reading a row for each count would take longer than everything else. */
interface CountRow {
  eventType: EventDayRecord['eventType'] | null;
  isSummedUp: boolean;
  /** Days since the first one; intervals for counts that are not summed up yet. */
  places: string;
  /** A count for each place; for days a list per requested quarter, each counted up to the end of that quarter. */
  counts: string;
}

function listOf(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array_to_string(array_agg(${value}), ',')`;
}

function numbersOf(list: string): number[] {
  return JSON.parse(`[${list}]`);
}

/** The part of a day that lies in an interval: from the end of one quarter of an hour to the end of another. */
interface Part {
  interval: number;
  from: number;
  to: number;
}

/** Splits the UTC days, beginning with that of the first boundary, into their parts in each interval. */
function cut(boundaries: Date[]): { firstDay: number; days: Part[][] } {
  const days: Part[][] = [];
  const places = boundaries.map(quarterOfDay);
  const { day: firstDay } = places[0] as QuarterOfDay;
  for (const [interval, start] of places.slice(0, -1).entries()) {
    const end = places[interval + 1] as QuarterOfDay;
    for (let { day } = start; day <= end.day; day += 1) {
      const from = day === start.day ? start.quarter : 0;
      const to = day === end.day ? end.quarter : QUARTERS;
      days[day - firstDay] ??= [];
      if (from < to) days[day - firstDay]?.push({ interval, from, to });
    }
  }
  return { firstDay, days };
}

/** Adds the counts of days to a series; `until` has them up to the end of each quarter of an hour. */
function addDays(series: EventSeries, cutDays: Part[][], days: number[], until: number[][]): void {
  for (const [n, day] of days.entries()) {
    for (const { interval, from, to } of cutDays[day] as Part[]) {
      add(series, interval, (until[to]?.[n] as number) - (until[from]?.[n] ?? 0));
    }
  }
}

function emptySeries(eventType: string | null, length: number): EventSeries {
  return { eventType, total: 0, counts: new Array<number>(length).fill(0) };
}

function add(series: EventSeries, position: number, count: number): void {
  series.total += count;
  series.counts[position] = (series.counts[position] ?? 0) + count;
}

/** Sorts by frequency and merges the series beyond `MAX_SERIES` with that of the other types. */
function topOf(all: EventSeries[], length: number): EventSeries[] {
  const sorted = all.filter(({ eventType }) => eventType !== null).sort((a, b) => b.total - a.total);
  const rest = [...sorted.slice(MAX_SERIES), ...all.filter(({ eventType }) => eventType === null)];
  if (rest.length === 0) return sorted;
  const others = emptySeries(null, length);
  for (const { counts } of rest) {
    for (const [position, count] of counts.entries()) add(others, position, count);
  }
  return [...sorted.slice(0, MAX_SERIES), others];
}
