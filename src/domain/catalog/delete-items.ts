import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { count } from './write/count.ts';
import { lockItems } from './write/lock.ts';

/** Deletes up to `MAX_AT_ONCE` items with their variants, and returns how many there were. Their changes stay. */
export async function deleteItems(db: Sql, storeId: string, ids: readonly string[]): Promise<number> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const there = texts([...(await lockItems(tx, storeId, ids))]);
      const { rows } = await sql<{ items: number; variants: number }>`
        with items as (
          delete from catalog_item where store_id = ${storeId} and id = any(${there}::text[]) returning id, words
        ), variants as (
          delete from catalog_variant where store_id = ${storeId} and item_id = any(${there}::text[]) returning id
        ), categories as (
          delete from catalog_item_category where store_id = ${storeId} and item_id = any(${there}::text[])
        ), words as (
          delete from catalog_word
          where store_id = ${storeId} and (word, item_id) in (select unnest(words), id from items)
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
