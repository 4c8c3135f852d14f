import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import { NOBODY } from '../../../ids/nobody.ts';
import { type Sql, timeAt } from '../../conditions/compile-comparison.ts';
import { compileFilter, IS_OF_STORE } from '../../conditions/compile-events.ts';
import { spellingsOf } from '../../conditions/event-types.ts';
import type { FunnelStep, FunnelSteps } from './steps.ts';

/** Customers who have to share a value of the breakdown, and values that are counted apart. */
const [MIN_SHARING, MAX_VALUES] = [5, 10];
const MAX_VALUE_LENGTH = 200;

/** When the first step may be, and until when events are looked at. Milliseconds; the ends are excluded. */
export interface FunnelPlace {
  storeId: string;
  from: number;
  to: number;
  until: number;
  now: number;
}

/** Customers, as one of all rows: those of all, of a value, or of no value that is counted apart. */
export interface FunnelRow {
  isTotal: boolean;
  value: string | null;
  /** By step, those who came so far, and the median of the seconds since the step before. */
  counts: number[];
  medians: (number | null)[];
}

/**
 * Compiles a funnel to one statement, whose rows are `FunnelRow`s, the total among them, and the values in their order. Each
 * customer's events are sorted once; each step is then a pass over them. `ids`: of those customers alone.
 */
export function compileFunnel(
  { steps, window, breakdown }: FunnelSteps,
  place: FunnelPlace,
  ids: readonly string[] | undefined,
): Sql {
  const n = (step: number) => sql.ref(`n${step}`);
  const t = (step: number) => sql.ref(`t${step}`);
  const is = (step: number) => sql.ref(`is${step}`);
  const own = sql.join(steps.map((step, i) => sql`${matches(step, place.now)} as ${is(i)}`));
  const value = breakdown === undefined ? sql`null::text` : propertyText(breakdown, steps[0]);
  let walked = sql`
    select customer, occurred_at, value, ${sql.join(steps.map((_, i) => is(i)))},
      row_number() over (partition by customer order by occurred_at, id) as n
    from (select e.customer, e.id, e.occurred_at, ${own}, ${value} as value from ${eventsOf(steps, place, ids)} e) e`;
  for (const i of steps.keys()) {
    const goesOn =
      i === 0
        ? sql`occurred_at < ${timeAt(place.to)}`
        : sql`n > ${n(i - 1)} and occurred_at <= ${t(0)} + ${String(window)}::float8 * interval '1 millisecond'`;
    const over = sql`filter (where ${is(i)} and ${goesOn}) over (partition by customer)`;
    // What was before the first step, and whoever has not taken it, is passed over once.
    const left = i === 1 ? sql`where n >= ${n(0)}` : sql``;
    walked = sql`select *, min(n) ${over} as ${n(i)}, min(occurred_at) ${over} as ${t(i)} from (${walked}) as s ${left}`;
  }
  const times = sql.join(steps.map((_, i) => t(i)));
  const medians = steps.map((_, i) =>
    i === 0
      ? sql`null::float8`
      : sql`percentile_cont(0.5) within group (order by extract(epoch from ${t(i)} - ${t(i - 1)})::float8)`,
  );
  return sql`
    with walked as materialized (
      select value, ${times} from (${walked}) as s where n = ${n(0)}
    ), ranked as (
      select value, row_number() over (order by count(*) desc, value) as place
      from walked where value is not null
      group by value having count(*) >= ${MIN_SHARING}
    )
    select ${breakdown === undefined ? sql`true` : sql`grouping(r.place) = 1`} as "isTotal",
      ${breakdown === undefined ? sql`null::text` : sql`r.value`} as value,
      array[${sql.join(steps.map((_, i) => sql`count(${t(i)})`))}]::float8[] as counts, array[${sql.join(medians)}]::float8[] as medians
    from walked w left join ranked r on r.value = w.value and r.place <= ${MAX_VALUES}
    ${breakdown === undefined ? sql`` : sql`group by grouping sets ((), (r.place, r.value)) order by grouping(r.place), r.place nulls last`}`;
}

/** Customers are those into whom others were merged, whose events may still be on their way. */
function eventsOf(steps: readonly FunnelStep[], place: FunnelPlace, ids: readonly string[] | undefined): Sql {
  const { storeId } = place;
  const types = texts([...new Set(steps.flatMap(({ eventType }) => spellingsOf(eventType)))]);
  const inTime = sql`occurred_at >= ${timeAt(place.from)} and occurred_at < ${timeAt(place.until)}`;
  if (!ids) {
    return sql`(
      select coalesce(a.profile_id, e.profile_id) as customer, e.*
      from event e left join profile_alias a on a.store_id = ${storeId} and a.id = e.profile_id
      where e.store_id = ${storeId} and e.event_type = any(${types}::text[]) and ${inTime} and e.profile_id <> ${NOBODY}::uuid
    )`;
  }
  return sql`(
    select c.customer, e.*
    from (
      select id as customer, id from unnest(${uuids(ids)}::uuid[]) as drawn (id)
      union all
      select profile_id, id from profile_alias where store_id = ${storeId} and profile_id = any(${uuids(ids)}::uuid[])
    ) c
    cross join lateral (
      select * from event where store_id = ${storeId} and profile_id = c.id and ${inTime} order by occurred_at offset 0
    ) e
    where e.event_type = any(${types}::text[])
  )`;
}

/** The type first, which is compared faster than properties are parsed. */
function matches({ eventType, where, fromClient }: FunnelStep, now: number): Sql {
  const isOfType = sql`e.event_type = any(${texts(spellingsOf(eventType))}::text[])`;
  const tests = [...(fromClient ? [] : [IS_OF_STORE]), ...(where ? [compileFilter(where, now)] : [])];
  return tests.length === 0
    ? isOfType
    : sql`(case when ${isOfType} then ${sql.join(tests, sql` and `)} else false end)`;
}

/** Of those events alone that may be a first step, as properties take long to parse. */
function propertyText(property: string, first: FunnelStep | undefined): Sql {
  return sql`(case when e.event_type = any(${texts(spellingsOf(first?.eventType ?? ''))}::text[]) then (
    select case when json_typeof(one) in ('string', 'number', 'boolean') and length(one #>> '{}') <= ${MAX_VALUE_LENGTH}
      then (one #>> '{}') collate "C" end
    from (select e.properties -> ${property}::text as one offset 0) p
  ) end)`;
}
