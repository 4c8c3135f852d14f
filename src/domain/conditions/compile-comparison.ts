import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import { canonicalText, isAscii } from '../canonical/text.ts';
import type { Comparison, NumberOperator, Operator } from './comparison.ts';

export type Sql = RawBuilder<unknown>;

const NUMBER_OPERATORS: Record<NumberOperator, Sql> = {
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

/**
 * How a value of free-form data compares: `value` is jsonb, null where it is unset, and JSON's null is unset too. Never
 * null itself. Values of different types never compare.
 */
export function passes(value: Sql, { op, value: wanted }: Comparison<Exclude<Operator, 'before' | 'after'>>): Sql {
  switch (op) {
    case 'exists':
      return isSet(value);
    case 'not_exists':
      return sql`(not ${isSet(value)})`;
    case 'neq':
      return sql`(not ${passes(value, { op: 'eq', value: wanted as string })})`;
    case 'not_in':
      return sql`(not ${passes(value, { op: 'in', value: wanted as string[] })})`;
    case 'eq':
      return isAccented(wanted)
        ? isOneOf(value, [wanted])
        : sql`coalesce(${value} = ${JSON.stringify(wanted)}::jsonb, false)`;
    case 'in': {
      const isIn = sql`coalesce(${value} in (select jsonb_array_elements(${JSON.stringify(wanted)}::jsonb)), false)`;
      const accented = (wanted as readonly unknown[]).filter(isAccented);
      return accented.length === 0 ? isIn : sql`(${isIn} or ${isOneOf(value, accented)})`;
    }
    case 'contains':
      return sql`
        coalesce(case jsonb_typeof(${value})
          when 'array' then ${
            isAccented(wanted)
              ? sql`exists (select from jsonb_array_elements(${value}) as element (value) where ${isOneOf(sql`element.value`, [wanted])})`
              : sql`${value} @> ${JSON.stringify([wanted])}::jsonb`
          }
          when 'string' then ${isText(wanted)} and strpos(${composed(value)}, ${canonicalText(String(wanted))}::text) > 0
        end, false)`;
    case 'starts_with':
      return sql`
        coalesce(jsonb_typeof(${value}) = 'string' and ${isText(wanted)}
          and starts_with(${composed(value)}, ${canonicalText(String(wanted))}::text), false)`;
    default:
      if (typeof wanted !== 'number') return sql`false`;
      return sql`
        coalesce(case when jsonb_typeof(${value}) = 'number' then ${compareNumber(sql`(${value})::numeric`, op, wanted)}
          end, false)`;
  }
}

/** Whether it matters how a text was typed: what has no accents equals nothing else. */
function isAccented(wanted: unknown): wanted is string {
  return typeof wanted === 'string' && !isAscii(wanted);
}

function isOneOf(value: Sql, wanted: readonly string[]): Sql {
  return sql`coalesce(
    jsonb_typeof(${value}) = 'string' and ${composed(value)} = any(${texts(wanted.map(canonicalText))}::text[]), false)`;
}

/** The text of a jsonb string, composed. Most texts are ASCII, of which Postgres need not make anything else. */
function composed(value: Sql): Sql {
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
