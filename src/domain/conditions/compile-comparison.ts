import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import { canonicalText, isAscii } from '../canonical/text.ts';
import { parseMoment } from '../time/moment.ts';
import type { Comparison, Name, NumberOperator } from './comparison.ts';
import { CAPITALS, SMALL, withoutCase } from './letter-case.ts';
import { isPosition } from './lookup.ts';

export type Sql = RawBuilder<unknown>;

export const NUMBER_OPERATORS: Record<NumberOperator, Sql> = {
  eq: sql`=`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

/** `value` is a number as Postgres has it. */
export function compareNumber(value: Sql, op: NumberOperator, wanted: number): Sql {
  return sql`${value} ${NUMBER_OPERATORS[op]} ${String(wanted)}::numeric`;
}

/** The value under a name in an object of JSON, or at the end of a path, which may lead through lists. */
export function valueAt(object: Sql, name: Name): Sql {
  const path = typeof name === 'string' ? [name] : name;
  return path.reduce<Sql>(
    (value, key, i) =>
      i > 0 && isPosition(key) ? sql`(${value} #> array[${key}::text])` : sql`(${value} -> ${key}::text)`,
    object,
  );
}

/**
 * How a value of free-form data compares: `value` is jsonb, null where it is unset, and JSON's null is unset too. Never
 * null itself. Values of different types never compare.
 */
export function passes(value: Sql, comparison: Comparison): Sql {
  const { op, value: wanted, ignore_case: ignoresCase = false } = comparison;
  const text = ignoresCase ? inSmall : composed;
  const spelt = ignoresCase ? withoutCase : canonicalText;
  switch (op) {
    case 'exists':
      return isSet(value);
    case 'not_exists':
      return sql`(not ${isSet(value)})`;
    case 'neq':
      return sql`(not ${passes(value, { ...comparison, op: 'eq' })})`;
    case 'not_in':
      return sql`(not ${passes(value, { ...comparison, op: 'in' })})`;
    case 'eq':
      return isSpelt(wanted, ignoresCase)
        ? isOneOf(value, [wanted], ignoresCase)
        : sql`coalesce(${value} = ${JSON.stringify(wanted)}::jsonb, false)`;
    case 'in': {
      const isIn = sql`coalesce(${value} in (select jsonb_array_elements(${JSON.stringify(wanted)}::jsonb)), false)`;
      const accented = (wanted as readonly unknown[]).filter((one) => isSpelt(one, ignoresCase));
      return accented.length === 0 ? isIn : sql`(${isIn} or ${isOneOf(value, accented, ignoresCase)})`;
    }
    case 'contains':
      return sql`
        coalesce(case jsonb_typeof(${value})
          when 'array' then ${
            isSpelt(wanted, ignoresCase)
              ? sql`exists (
                  select from jsonb_array_elements(${value}) as element (value)
                  where ${isOneOf(sql`element.value`, [wanted], ignoresCase)})`
              : sql`${value} @> ${JSON.stringify([wanted])}::jsonb`
          }
          when 'string' then ${isText(wanted)} and strpos(${text(value)}, ${spelt(String(wanted))}::text) > 0
        end, false)`;
    case 'starts_with':
      return sql`
        coalesce(jsonb_typeof(${value}) = 'string' and ${isText(wanted)}
          and starts_with(${text(value)}, ${spelt(String(wanted))}::text), false)`;
    case 'ends_with':
      return sql`
        coalesce(jsonb_typeof(${value}) = 'string' and ${isText(wanted)}
          and starts_with(reverse(${text(value)}), reverse(${spelt(String(wanted))}::text)), false)`;
    case 'before':
    case 'after': {
      const ms = parseMoment(wanted);
      if (ms === undefined) return sql`false`;
      return sql`coalesce(${momentAt(value)} ${op === 'before' ? sql`<` : sql`>`} ${timeAt(ms)}, false)`;
    }
    default:
      if (typeof wanted !== 'number') return sql`false`;
      return sql`
        coalesce(case when jsonb_typeof(${value}) = 'number' then ${compareNumber(sql`(${value})::numeric`, op, wanted)}
          end, false)`;
  }
}

/** Whether it matters how a text was typed: what has no accents equals nothing else, but for capital letters. */
function isSpelt(wanted: unknown, ignoresCase: boolean): wanted is string {
  return typeof wanted === 'string' && (ignoresCase || !isAscii(wanted));
}

function isOneOf(value: Sql, wanted: readonly string[], ignoresCase: boolean): Sql {
  const [text, spelt] = ignoresCase ? [inSmall, withoutCase] : [composed, canonicalText];
  return sql`coalesce(
    jsonb_typeof(${value}) = 'string' and ${text(value)} = any(${texts(wanted.map(spelt))}::text[]), false)`;
}

/** The same text as `withoutCase` makes. */
export function inSmall(value: Sql): Sql {
  return sql`(
    select case when octet_length(t) = length(t) then lower(t collate "C")
      else translate(lower(normalize(t, nfc) collate "C"), ${CAPITALS}::text, ${SMALL}::text) end
    from (select ${value} #>> '{}' as t offset 0) as text)`;
}

/** The text of a jsonb string, composed. Most texts are ASCII, of which Postgres need not make anything else. */
export function composed(value: Sql): Sql {
  return sql`(
    select case when octet_length(t) = length(t) then t else normalize(t, nfc) end
    from (select ${value} #>> '{}' as t offset 0) as text)`;
}

function isSet(value: Sql): Sql {
  return sql`coalesce(jsonb_typeof(${value}) <> 'null', false)`;
}

function isText(wanted: unknown): Sql {
  return typeof wanted === 'string' ? sql`true` : sql`false`;
}

const DATE = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const CLOCK = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const IS_MOMENT = `^${DATE}(?:[Tt ]${CLOCK}:[0-5][0-9](?:[.][0-9]{1,9})?(?:[Zz]|[+-]${CLOCK}))?$`;

/**
 * The time that a jsonb text names, as `parseMoment` reads it, to the millisecond; null for all else. A cast of the whole
 * would refuse the 30th of February, the year 0, and offsets from 16 hours on.
 */
export function momentAt(value: Sql): Sql {
  return sql`(
    select case
      when t !~ ${IS_MOMENT} or "left"(t, 4) = '0000' then null
      when "left"(t, 10) <> to_char(
        make_date("left"(t, 4)::int, substr(t, 6, 2)::int, 1) + (substr(t, 9, 2)::int - 1), 'YYYY-MM-DD') then null
      else ("left"(t, 10) || ' ' || coalesce(nullif(substr(t, 12, 8), ''), '00:00:00')
        || coalesce(substring(t from '[.][0-9]{1,3}'), '') || '+00')::timestamptz
        - coalesce(substring(t from '[+-][0-9]{2}:[0-9]{2}$'), '0')::interval
    end
    from (select case when jsonb_typeof(${value}) = 'string' then ${value} #>> '{}' end as t offset 0) as text)`;
}

/** A time in milliseconds, which may be one that has no ISO text in Postgres. */
export function timeAt(ms: number): Sql {
  return sql`('epoch'::timestamptz + ${String(ms)}::float8 * interval '1 millisecond')`;
}
