import { sql } from 'kysely';
import type { Sql } from '../db/orm.ts';
import { takeSome } from '../db/rows.ts';
import type { DataTask } from '../engine/periodic.ts';

export const QUARTER_MS = 15 * 60 * 1000;
export const DAY_MS = 24 * 60 * 60 * 1000;

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
