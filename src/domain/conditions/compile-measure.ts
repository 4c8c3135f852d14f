import { sql } from 'kysely';
import type { Name } from './comparison.ts';
import { type Sql, valueAt } from './compile-comparison.ts';
import type { Measure } from './measure.ts';

const GREATEST = sql.raw(String(Number.MAX_VALUE));

/** An aggregate of events `e` of which a test holds; null where there is nothing to work it out of, as of the same `Tally`. */
export function measureColumn(measure: Measure, matches: Sql): Sql {
  const those = sql`filter (where ${matches})`;
  switch (measure.of) {
    case 'count':
      return sql`count(*) ${those}`;
    case 'sum':
      return sql`coalesce(sum(${numberAt(measure.property)}) ${those}, 0)`;
    case 'average': {
      const number = numberAt(measure.property);
      return sql`${asDouble(sql`sum(${number}) ${those}`)} / nullif(count(${number}) ${those}, 0)`;
    }
    case 'minimum':
      return sql`min(${numberAt(measure.property)}) ${those}`;
    case 'maximum':
      return sql`max(${numberAt(measure.property)}) ${those}`;
    case 'distinct': {
      const value = valueAt(sql`e.properties`, measure.property);
      const isScalar = sql`json_typeof(${value}) in ('string', 'number', 'boolean')`;
      return sql`count(distinct case when ${isScalar} then (${value})::jsonb end) ${those}`;
    }
    case 'days':
      return sql`count(distinct (e.occurred_at at time zone ${measure.time_zone ?? 'UTC'}::text)::date) ${those}`;
    default:
      throw new TypeError('That is no number of events');
  }
}

/** What such an aggregate is as a value to compare, as jsonb: a double, as in memory, and none where it is beyond all of them. */
export function valueOfMeasure(measure: Measure, aggregate: Sql): Sql {
  if (measure.of !== 'sum' && measure.of !== 'average') return sql`to_jsonb(${aggregate})`;
  const double = measure.of === 'sum' ? asDouble(aggregate) : aggregate;
  return sql`to_jsonb(case when abs(${double}) < 'Infinity' then ${double} end)`;
}

/** How long an id is as text, which ends the place of an event. */
export const ID_LENGTH = 36;
/** Makes the milliseconds of every year positive, and so of one length as text. */
const AFTER_ALL = sql.lit(100_000_000_000_000);

/** The first or the last place in time of events `e` of which a test holds: of those of one time, ids decide. */
export function placeColumn(which: 'first' | 'last', matches: Sql): Sql {
  const ms = sql`lpad(((extract(epoch from e.occurred_at) * 1000)::bigint + ${AFTER_ALL})::text, 15, '0')`;
  return sql`${which === 'first' ? sql`min` : sql`max`}((${ms} || e.id::text) collate "C") filter (where ${matches})`;
}

function numberAt(property: Name): Sql {
  const value = valueAt(sql`e.properties`, property);
  return sql`case when json_typeof(${value}) = 'number' then (${value} #>> '{}')::numeric end`;
}

/** A cast would refuse what no double can hold. */
function asDouble(number: Sql): Sql {
  return sql`(case when abs(${number}) > ${GREATEST}::numeric then sign(${number}) * 'Infinity'::float8
    else (${number})::float8 end)`;
}
