import { sql } from 'kysely';
import { takeSome } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';

/** Rows that one transaction sums up; see `sumUpCounts` of events. */
const ROWS_PER_STEP = 1_000;

/**
 * Adds what transactions have counted in automations to the sums. One process at a time: two would wait for each other's
 * rows. Readers add up both tables, so it does not matter when this runs or whether it fails.
 */
export async function sumUpAutomationCounts(db: Sql): Promise<void> {
  while ((await sumUpStep(db)) === ROWS_PER_STEP);
}

export const SUM_UP_AUTOMATION_COUNTS: DataTask = {
  failure: 'counts of automations not summed up',
  everyMs: 1_000,
  rows: 'automation_count_new',
  run: sumUpAutomationCounts,
};

async function sumUpStep(db: Sql): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with ${takeSome('automation_count_new', 'footfall.automation_count', ROWS_PER_STEP)}, summed_up as (
      insert into automation_count (store_id, automation_id, day, metric, name, count)
      select store_id, automation_id, day, metric, name, sum(count)
      from taken
      group by 1, 2, 3, 4, 5
      on conflict (store_id, automation_id, day, metric, name)
      do update set count = automation_count.count + excluded.count
    )
    select count(*)::int as taken from taken`.execute(db);
  return rows[0]?.taken ?? 0;
}
