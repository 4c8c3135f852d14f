import { sql } from 'kysely';
import type { Sql } from './compile-comparison.ts';
import type { ItemsMatch } from './condition.ts';
import { MAX_ITEMS } from './items.ts';

/** What `matchItems` says of a jsonb value, which may be null; `compileTest` gets an item, as jsonb. Never null. */
export function compileItems(value: Sql, match: ItemsMatch, compileTest: (item: Sql) => Sql): Sql {
  const test = compileTest(sql`item.value`);
  const isThere = sql`exists (
    select from (
      select value from jsonb_array_elements(case when jsonb_typeof(list.value) = 'array' then list.value end)
      limit ${sql.lit(MAX_ITEMS)}
    ) as item (value)
    where ${match === 'all' ? sql`not ${test}` : test})`;
  // Without the offset the list would be taken out of the event once for each time that it is named.
  return sql`coalesce((
    select ${
      match === 'any'
        ? isThere
        : sql`case when jsonb_typeof(list.value) = 'array'
            then ${match === 'all' ? sql`jsonb_array_length(list.value) > 0 and ` : sql``}not ${isThere} end`
    }
    from (select ${value} as value offset 0) as list), false)`;
}
