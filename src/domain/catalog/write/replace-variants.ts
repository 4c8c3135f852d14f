import { sql } from 'kysely';
import { jsonbs, texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import type { ItemPatch } from '../item.ts';

/** Deletes the variants that patches do not name, where they name all. Returns how many of each item were there. */
export async function replaceVariants(
  tx: Sql,
  storeId: string,
  patches: readonly ItemPatch[],
): Promise<Map<string, number>> {
  const replacing = patches.filter(({ replacesVariants }) => replacesVariants);
  if (replacing.length === 0) return new Map();
  const named = replacing.map(({ variants = [] }) => variants.map(({ id }) => id));
  const { rows } = await sql<{ id: string; count: number }>`
    with wanted as (
      select * from unnest(
        ${texts(replacing.map(({ id }) => id))}::text[], ${jsonbs(named)}::jsonb[]
      ) as w (item_id, named)
    ), others as (
      select v.place
      from wanted w
      cross join lateral (
        select id, ctid as place from catalog_variant where store_id = ${storeId} and item_id = w.item_id
      ) v
      where not w.named ? v.id
    ), gone as (
      delete from catalog_variant
      where store_id = ${storeId} and ctid = any(array(select place from others))
      returning item_id
    )
    select item_id as id, count(*)::int as count from gone group by item_id`.execute(tx);
  return new Map(rows.map(({ id, count }) => [id, count]));
}
