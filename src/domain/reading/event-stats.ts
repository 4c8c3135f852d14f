import { sql } from 'kysely';
import { timestamps } from '../../db/arrays.ts';
import type { Sql } from '../../db/orm.ts';
import type { Caller } from '../api-keys.ts';
import { COUNTED_MINUTES } from '../event-counts.ts';

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
  const which = sql`
    store_id = ${storeId} and start >= ${boundaries[0]} and start < ${boundaries.at(-1)}
      ${eventType === undefined ? sql`` : sql`and event_type = ${eventType}`}`;
  const { rows } = await sql<{ position: number; eventType: string; count: number }>`
    select width_bucket(start, ${timestamps(boundaries)}::timestamptz[]) - 1 as position,
      event_type as "eventType", sum(count)::float8 as count
    from (
      select start, event_type, count from event_count where minutes = ${unitOf(boundaries)} and ${which}
      union all
      select start, event_type, count from event_count_new where ${which}
    ) as counted
    group by 1, 2`.execute(db);
  const series = new Map<string | null, EventSeries>();
  for (const row of rows) add(series, row.eventType, row, boundaries.length - 1);
  return topOf([...series.values()], boundaries.length - 1);
}

/** The longest time that is counted by itself and of which each interval has whole ones. */
function unitOf(boundaries: Date[]): number {
  const isWhole = (minutes: number) => boundaries.every((time) => time.getTime() % (minutes * 60_000) === 0);
  return COUNTED_MINUTES.find(isWhole) ?? 15;
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
