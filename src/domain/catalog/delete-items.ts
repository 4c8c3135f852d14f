import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { exactly, rowExactly } from '../../db/rows.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { count } from './write/count.ts';
import { lockItems } from './write/lock.ts';

/** Deletes up to `MAX_AT_ONCE` items with their variants, and returns how many there were. Their changes stay. */
export async function deleteItems(db: Sql, storeId: string, ids: readonly string[]): Promise<number> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const there = texts([...(await lockItems(tx, storeId, ids))]);
      const { rows } = await sql<{ items: number; variants: number }>`
        with found as materialized (
          select i.id, i.place, i.words from unnest(${there}::text[]) as w (id)
          cross join lateral ${rowExactly('catalog_item', storeId, 'w.id')} i
        ), items as (
          delete from catalog_item where ctid = any(array(select place from found)) returning id
        ), variants as (
          delete from catalog_variant where ctid = any(array(${placesOf('catalog_variant', storeId)})) returning id
        ), categories as (
          delete from catalog_item_category where ctid = any(array(${placesOf('catalog_item_category', storeId)}))
        ), words as (
          delete from catalog_word
          where ctid = any(array(
            select place.place
            from found cross join lateral unnest(found.words) as w (word)
            cross join lateral (
              select ctid as place from catalog_word
              where store_id = ${storeId} and word = w.word and item_id = found.id limit 1
            ) place
          ))
        )
        select (select count(*) from items)::int as items, (select count(*) from variants)::int as variants`.execute(
        tx,
      );
      const [{ items, variants }] = rows as [(typeof rows)[number]];
      await count(tx, storeId, { items: -items, variants: -variants });
      return items;
    }),
  );
}

/** Where that is which belongs to items that were `found`. */
function placesOf(table: 'catalog_variant' | 'catalog_item_category', storeId: string): RawBuilder<unknown> {
  return sql`
    select own.place from found
    cross join lateral (
      select ctid as place from ${sql.table(table)}
      where store_id = ${storeId} and ${exactly('item_id', 'found.id')} order by item_id
    ) own`;
}
