import { sql } from 'kysely';
import type { Sql } from './compile-comparison.ts';
import { at, later } from './compile-times.ts';
import type { Following } from './follows.ts';

/** The same as `isFollowed`, of lists of timestamps, which may be null. Never null. */
export function compileFollowed(firsts: Sql, others: Sql, { within, happened }: Following, now: number): Sql {
  const times = sql`(
    select unnest(${firsts}) as t, true as is_first union all select unnest(${others}), false
  ) as times`;
  // At one moment nothing follows: the order is such that neither sees the other.
  const before = sql`max(t) filter (where is_first)
    over (order by t, is_first rows between unbounded preceding and 1 preceding)`;
  const after = sql`min(t) filter (where not is_first)
    over (order by t desc, is_first desc rows between unbounded preceding and 1 preceding)`;
  if (happened) {
    return sql`exists (
      select from (select t, is_first, ${before} as before from ${times}) as one
      where not is_first and before >= ${later(sql`t`, -within)})`;
  }
  return sql`exists (
    select from (select t, is_first, ${after} as after from ${times}) as one
    where is_first and t < ${later(at(now), -within)} and coalesce(after > ${later(sql`t`, within)}, true))`;
}
