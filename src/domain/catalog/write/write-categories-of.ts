import { sql } from 'kysely';
import { jsonbs, texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import type { ItemPatch } from '../item.ts';

/** Puts items, which are locked, into their categories, and out of the others. Returns those for which that was new. */
export async function writeCategoriesOf(tx: Sql, storeId: string, patches: readonly ItemPatch[]): Promise<string[]> {
  const sorted = patches.filter(({ categories }) => categories !== undefined);
  if (sorted.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with wanted as (
      select * from unnest(
        ${texts(sorted.map(({ id }) => id))}::text[],
        ${jsonbs(sorted.map(({ categories = [] }) => [...new Set(categories)]))}::jsonb[]
      ) as w (item_id, categories)
    ), there as materialized (
      select w.item_id, c.category_id, c.place, w.categories ? c.category_id as stays
      from wanted w
      cross join lateral (
        select category_id, ctid as place from catalog_item_category where store_id = ${storeId} and item_id = w.item_id
      ) c
    ), removed as (
      delete from catalog_item_category
      where store_id = ${storeId} and ctid = any(array(select place from there where not stays))
      returning item_id
    ), added as (
      insert into catalog_item_category (store_id, category_id, item_id)
      select ${storeId}::uuid, category_id, w.item_id
      from wanted w cross join lateral jsonb_array_elements_text(w.categories) as category_id
      where (w.item_id, category_id) not in (select item_id, category_id from there)
      returning item_id
    )
    select item_id as id from removed union select item_id from added`.execute(tx);
  return rows.map(({ id }) => id);
}
