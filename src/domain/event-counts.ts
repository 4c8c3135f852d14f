import { sql } from 'kysely';
import type { EventCountNewRecord } from '../db/entities/event-count-new.ts';
import type { Sql } from '../db/orm.ts';
import { takeSome } from '../db/rows.ts';
import type { DataTask } from '../engine/periodic.ts';
import { lowestIdAt, timeOf } from '../ids/uuid-v7.ts';
import type { NewEvent } from './event.ts';

/** The number of events of a type in a quarter of an hour. */
export type EventCount = Pick<EventCountNewRecord, 'start' | 'eventType' | 'month' | 'count'>;

/** What an event is counted by. */
export type CountedEvent = Pick<NewEvent, 'id' | 'eventType' | 'occurredAt'>;

export const QUARTER_MS = 15 * 60 * 1000;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns what a batch of events adds to the counts. */
export function countEvents(events: readonly CountedEvent[]): EventCount[] {
  const counts = new Map<string, EventCount>();
  let month: Month | undefined;
  let last: EventCount | undefined;
  for (const { id, occurredAt, eventType } of events) {
    if (!month || id < month.firstId || id >= month.nextId) month = monthOf(id);
    const start = Math.floor(occurredAt.getTime() / QUARTER_MS) * QUARTER_MS;
    // Most events have the same count as the one before.
    if (last?.eventType !== eventType || last.month !== month.start || last.start.getTime() !== start) {
      const key = `${start} ${month.firstId} ${eventType}`;
      last = counts.get(key) ?? { start: new Date(start), eventType, month: month.start, count: 0 };
      counts.set(key, last);
    }
    last.count += 1;
  }
  return [...counts.values()];
}

interface Month {
  start: Date;
  /** Ids drawn in this month are at least `firstId` and below `nextId`. */
  firstId: string;
  nextId: string;
}

/**
 * Returns the month in which an id was drawn. Computing it for each event would take longer than the rest of counting.
 */
function monthOf(id: string): Month {
  const time = new Date(timeOf(id));
  const start = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));
  const next = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1));
  return { start, firstId: lowestIdAt(start), nextId: lowestIdAt(next) };
}

/**
 * Rows that one transaction sums up. If each has a different day and type, these take a third of a second on a busy
 * machine; ten times as many would exceed the statement timeout, and then nothing would ever be summed up.
 */
const ROWS_PER_STEP = 1_000;

/**
 * Adds the counts of new batches to the summed-up ones. One process at a time: two would wait for each other's rows.
 * Readers add up both tables, so it does not matter when this runs or whether it fails.
 */
export async function sumUpCounts(db: Sql): Promise<void> {
  while ((await sumUpStep(db)) === ROWS_PER_STEP);
}

export const SUM_UP_COUNTS: DataTask = {
  failure: 'event counts not summed up',
  everyMs: 1_000,
  rows: 'event_count_new',
  run: sumUpCounts,
};

async function sumUpStep(db: Sql): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with ${takeSome('event_count_new', 'footfall.event_count', ROWS_PER_STEP)}, added as (
      select store_id, (start at time zone 'UTC')::date as day, event_type, month,
        (extract(epoch from start)::bigint / 900 % 96)::int as quarter, sum(count)::int as count
      from taken
      group by 1, 2, 3, 4, 5
    ), summed_up as (
      insert into event_day (store_id, day, event_type, month, running)
      select store_id, day, event_type, month, array_agg(running order by quarter)
      from (
        select store_id, day, event_type, month, quarter, (sum(coalesce(count, 0)) over (
          partition by store_id, day, event_type, month order by quarter))::int as running
        from (select distinct store_id, day, event_type, month from added) as changed
        cross join generate_series(0, 95) as quarter
        left join added using (store_id, day, event_type, month, quarter)
      ) as until
      group by 1, 2, 3, 4
      on conflict (store_id, day, event_type, month) do update set running = array(
        select before + more
        from unnest(event_day.running, excluded.running) with ordinality as both_days (before, more, quarter)
        order by quarter)
    )
    select count(*)::int as taken from taken`.execute(db);
  return rows[0]?.taken ?? 0;
}
