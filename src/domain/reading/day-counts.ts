import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { EventDayRecord } from '../../db/entities/event-day.ts';
import type { Sql } from '../../db/orm.ts';
import { DAY_MS, QUARTER_MS } from '../event-counts.ts';
import { invalid } from '../service-error.ts';

/** Maximum event types with a series of their own. */
export const MAX_SERIES = 50;
/** Maximum event types counted individually here. With more, the database adds up all but the most frequent ones. */
const MAX_TYPES = 1_000;
/** Maximum counts that one request adds up. */
const MAX_COUNTS = 800_000;

export const QUARTERS = DAY_MS / QUARTER_MS;

/** A UTC day, in days since 1970, and how many of its quarters of an hour begin before a time. */
export interface QuarterOfDay {
  day: number;
  quarter: number;
}

export function quarterOfDay(time: Date): QuarterOfDay {
  const day = Math.floor(time.getTime() / DAY_MS);
  return { day, quarter: Math.ceil((time.getTime() - day * DAY_MS) / QUARTER_MS) };
}

/** The range to count: UTC days since 1970, and the times at which intervals begin and end. */
export interface Range {
  storeId: string;
  firstDay: number;
  lastDay: number;
  boundaries: Date[];
}

function dayOf(day: number): RawBuilder<unknown> {
  return sql`date 'epoch' + ${day}::int`;
}

function inRange({ storeId, firstDay, lastDay }: Range): RawBuilder<unknown> {
  return sql`store_id = ${storeId} and day between ${dayOf(firstDay)} and ${dayOf(lastDay)}`;
}

export function countsOf(range: Range): RawBuilder<unknown> {
  return sql`(select event_type, day, running from event_day where ${inRange(range)})`;
}

/** Day by day, which `offset` forces: the index may have many rows of other types in between. */
export function countsOfType({ storeId, firstDay, lastDay }: Range, eventType: string): RawBuilder<unknown> {
  return sql`(
    select event_type, day, running
    from generate_series(${firstDay}::int, ${lastDay}::int) as n
    cross join lateral (
      select * from event_day where store_id = ${storeId} and day = date 'epoch' + n and event_type = ${eventType}
      offset 0
    ) as of_day
  )`;
}

/** Counts the top types, and all others together; `running` has only the given quarters. */
export function countsOfTop(range: Range, top: string[], quarters: number[]): RawBuilder<unknown> {
  const sums = quarters.map((quarter) => sql`sum(running[${quarter}::int])`);
  return sql`(
    select ${ofTop(top)} as event_type, day, array[${sql.join(sums)}] as running
    from event_day where ${inRange(range)}
    group by 1, 2
  )`;
}

export function ofTop(top: string[]): RawBuilder<unknown> {
  return sql`case when event_type = any(${texts(top)}::text[]) then event_type end`;
}

/**
 * Returns the most frequent types, or undefined if there are few enough to add up here. Throws `validation_error` if
 * the range has too many counts.
 */
export async function topTypes(db: Sql, range: Range, quarters: number): Promise<string[] | undefined> {
  // Finding a row costs something too.
  const most = Math.floor(MAX_COUNTS / (quarters + 3));
  const { rows: found } = await sql<{ rows: number; types: number }>`
    with counted as materialized (
      select event_type from event_day where ${inRange(range)}
      union all
      select * from (select distinct event_type from event_count_new where store_id = ${range.storeId}) not_summed_up
      limit ${most + 1}
    )
    select (select count(*) from counted)::int as rows,
      (select count(*) from (select from counted group by event_type limit ${MAX_TYPES + 1}) t)::int as types`.execute(
    db,
  );
  const [{ rows, types }] = found as [{ rows: number; types: number }];
  if (rows > most) {
    const problem = 'is too long before to for as many event types as the store has; ask for one of them, or for less';
    throw invalid({ path: ['from'], problem });
  }
  if (types <= MAX_TYPES) return undefined;
  const [first, last] = [quarterOfDay(range.boundaries[0] as Date), quarterOfDay(range.boundaries.at(-1) as Date)];
  const { rows: top } = await sql<{ type: EventDayRecord['eventType'] }>`
    select event_type as type from event_day where ${inRange(range)}
    group by event_type
    order by sum(
      case when day = ${dayOf(last.day)} then coalesce(running[${last.quarter}::int], 0) else running[${QUARTERS}::int] end
      - case when day = ${dayOf(first.day)} then coalesce(running[${first.quarter}::int], 0) else 0 end
    ) desc, event_type
    limit ${MAX_SERIES}`.execute(db);
  return top.map(({ type }) => type);
}
