import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import type { Caller } from '../api-keys.ts';
import { QUARTER_MS } from '../event-counts.ts';

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
  const [first, last] = [boundaries[0] as Date, boundaries.at(-1) as Date];
  const ofType = eventType === undefined ? sql`` : sql`and event_type = ${eventType}`;
  const { rows } = await sql<CountRow>`
    select (extract(epoch from day) * 1000)::float8 as start, event_type as "eventType",
      array_to_string(counts, ',') as counts
    from event_day
    where store_id = ${storeId} and day >= ${dateOf(first)}::date and day <= ${dateOf(last)}::date ${ofType}
    union all
    select (extract(epoch from start) * 1000)::float8, event_type, count::text
    from event_count_new
    where store_id = ${storeId} and start >= ${first} and start < ${last} ${ofType}`.execute(db);
  const times = boundaries.map((time) => time.getTime());
  const series = new Map<string | null, EventSeries>();
  for (const row of rows) addRow(series, row, times);
  return topOf([...series.values()], boundaries.length - 1);
}

/** Counts of quarters of an hour, one after the other, as numbers between commas. */
interface CountRow {
  /** Milliseconds. */
  start: number;
  eventType: string;
  counts: string;
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function addRow(
  series: Map<string | null, EventSeries>,
  { start, eventType, counts }: CountRow,
  times: number[],
): void {
  // Of the last boundary at or before the time; before the first one it is -1.
  let position = times.findLastIndex((time) => time <= start);
  for (const [quarter, text] of counts.split(',').entries()) {
    const time = start + quarter * QUARTER_MS;
    while (position + 1 < times.length && (times[position + 1] as number) <= time) position += 1;
    if (text === '0' || position < 0 || position === times.length - 1) continue;
    add(series, eventType, { position, count: Number(text) }, times.length - 1);
  }
}

function add(
  series: Map<string | null, EventSeries>,
  eventType: string | null,
  { position, count }: { position: number; count: number },
  length: number,
): void {
  const one = series.get(eventType) ?? { eventType, total: 0, counts: new Array<number>(length).fill(0) };
  series.set(eventType, one);
  one.total += count;
  one.counts[position] = (one.counts[position] ?? 0) + count;
}

/** The most frequent types first; those beyond `MAX_SERIES` as one. */
function topOf(all: EventSeries[], length: number): EventSeries[] {
  const sorted = all.sort((a, b) => b.total - a.total);
  if (sorted.length <= MAX_SERIES) return sorted;
  const others = new Map<string | null, EventSeries>();
  for (const { counts } of sorted.slice(MAX_SERIES)) {
    for (const [position, count] of counts.entries()) add(others, null, { position, count }, length);
  }
  return [...sorted.slice(0, MAX_SERIES), ...others.values()];
}
