import { type RawBuilder, sql } from 'kysely';
import { GAUGE_DAY } from './counts.ts';

/** Selects the active runs of an automation by version: `number`, as text, and `count`. */
export function activeByVersion(storeId: RawBuilder<unknown>, automationId: RawBuilder<unknown>): RawBuilder<unknown> {
  const ofIt = sql`
    where store_id = ${storeId} and automation_id = ${automationId} and day = ${GAUGE_DAY}::date and metric = 'active'`;
  return sql`
    select name as number, sum(count)::int as count
    from (
      select name, count from automation_count ${ofIt}
      union all
      select name, count from automation_count_new ${ofIt}
    ) as counted
    group by name`;
}
