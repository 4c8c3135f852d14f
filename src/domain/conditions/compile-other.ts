import { sql } from 'kysely';
import type { Comparison } from './comparison.ts';
import { composed, inSmall, momentAt, NUMBER_OPERATORS, type Sql } from './compile-comparison.ts';

const [VALUE, OTHER] = [sql`pair.value`, sql`pair.other`];
const ARE_TEXTS = areBoth('string');

/**
 * Whether a value compares with another one: both are jsonb, null where they are unset. Without another one that is a text, a
 * number or true or false, nothing holds. Never null.
 */
export function passesOther(value: Sql, { op, ignore_case: ignoresCase = false }: Comparison, other: Sql): Sql {
  // Without the offset both would be worked out once for each time that they are named.
  return sql`coalesce((
    select ${testOf(op, ignoresCase)}
    from (select (${value})::jsonb as value, (${other})::jsonb as other offset 0) as pair
    where jsonb_typeof(${OTHER}) in ('string', 'number', 'boolean')), false)`;
}

function testOf(op: Comparison['op'], ignoresCase: boolean): Sql {
  const text = ignoresCase ? inSmall : composed;
  switch (op) {
    case 'eq':
      return isSame(VALUE, ignoresCase);
    case 'neq':
      return sql`not ${isSame(VALUE, ignoresCase)}`;
    case 'contains':
      return sql`case jsonb_typeof(${VALUE})
        when 'array' then exists (
          select from jsonb_array_elements(${VALUE}) as element (value) where ${isSame(sql`element.value`, ignoresCase)})
        when 'string' then ${ARE_TEXTS} and strpos(${text(VALUE)}, ${text(OTHER)}) > 0
      end`;
    case 'starts_with':
      return sql`${ARE_TEXTS} and starts_with(${text(VALUE)}, ${text(OTHER)})`;
    case 'ends_with':
      return sql`${ARE_TEXTS} and starts_with(reverse(${text(VALUE)}), reverse(${text(OTHER)}))`;
    case 'before':
      return sql`${momentAt(VALUE)} < ${momentAt(OTHER)}`;
    case 'after':
      return sql`${momentAt(VALUE)} > ${momentAt(OTHER)}`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return sql`case when ${areBoth('number')} then (${VALUE})::numeric ${NUMBER_OPERATORS[op]} (${OTHER})::numeric end`;
    default:
      throw new TypeError(`${op} compares with no other value`);
  }
}

/** Never null. What has no accents equals nothing else, but for capital letters. */
function isSame(value: Sql, ignoresCase: boolean): Sql {
  const areTexts = sql`coalesce(jsonb_typeof(${value}) = 'string', false) and jsonb_typeof(${OTHER}) = 'string'`;
  if (ignoresCase) {
    return sql`case when ${areTexts} then ${inSmall(value)} = ${inSmall(OTHER)} else coalesce(${value} = ${OTHER}, false) end`;
  }
  const hasAccents = sql`octet_length(${OTHER} #>> '{}') <> length(${OTHER} #>> '{}')`;
  return sql`case when ${areTexts} and ${hasAccents} then ${composed(value)} = ${composed(OTHER)}
    else coalesce(${value} = ${OTHER}, false) end`;
}

function areBoth(type: 'string' | 'number'): Sql {
  return sql`coalesce(jsonb_typeof(${VALUE}) = ${sql.lit(type)}, false) and jsonb_typeof(${OTHER}) = ${sql.lit(type)}`;
}
