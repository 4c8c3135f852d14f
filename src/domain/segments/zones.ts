import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { Name } from '../conditions/comparison.ts';
import { valueAt } from '../conditions/compile-comparison.ts';
import type { Condition } from '../conditions/condition.ts';
import { leavesOf } from '../conditions/tree.ts';
import { isTimeZone } from '../time/local.ts';

/** Returns the names of the time zones that customers have in the attributes that definitions ask for. */
export async function zonesOf(
  tx: Sql,
  storeId: string,
  definitions: readonly Condition[],
  profileIds: readonly string[],
): Promise<string[]> {
  const zones = new Set<string>();
  for (const attribute of attributesOf(definitions)) {
    const value = valueAt(sql`p.attributes`, attribute);
    const { rows } = await sql<{ zone: string }>`
      select distinct "left"(${value} #>> '{}', ${sql.lit(MAX_LENGTH)}) as zone
      from unnest(${uuids(profileIds)}::uuid[]) as w (id)
      cross join lateral (
        select attributes from profile where store_id = ${storeId} and id = w.id limit 1
      ) p
      where jsonb_typeof(${value}) = 'string'`.execute(tx);
    for (const { zone } of rows) if (isTimeZone(zone)) zones.add(zone);
  }
  return [...zones];
}

/** No name is as long: what is longer is none. */
const MAX_LENGTH = 100;

function attributesOf(definitions: readonly Condition[]): Name[] {
  const names = definitions.flatMap((definition) =>
    [...leavesOf(definition)].flatMap(({ leaf }) => {
      if (!('date' in leaf) || typeof leaf.date.time_zone !== 'object') return [];
      return [leaf.date.time_zone.attribute];
    }),
  );
  return [...new Map(names.map((name) => [JSON.stringify(name), name])).values()];
}
