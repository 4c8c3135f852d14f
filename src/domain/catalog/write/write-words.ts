import { sql } from 'kysely';
import { jsonbs, texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { rowExactly } from '../../../db/rows.ts';
import { wordsOf } from '../words.ts';

/** Variants whose SKUs an item is found by. */
const MAX_SKUS = 40;

interface Named {
  id: string;
  title: string;
  sku: string | null;
  skus: string[];
  words: string[];
}

/** Has items, which are locked, found by what they and their variants are called now. */
export async function writeWords(tx: Sql, storeId: string, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return;
  const { rows } = await sql<Named>`
    select i.id, i.title, i.sku, i.words,
      array(
        select sku from catalog_variant
        where store_id = ${storeId} and item_id = i.id and sku is not null order by id limit ${MAX_SKUS}
      ) as skus
    from unnest(${texts(itemIds)}::text[]) as w (id)
    cross join lateral ${rowExactly('catalog_item', storeId, 'w.id')} i
    order by i.id`.execute(tx);
  const renamed = rows.flatMap(({ id, title, sku, skus, words: before }) => {
    const words = wordsOf(title, [sku, ...skus]);
    const isSame = words.length === before.length && words.every((word, i) => word === before[i]);
    return isSame ? [] : [{ id, before, words }];
  });
  if (renamed.length === 0) return;
  await deleteWords(
    tx,
    storeId,
    renamed.flatMap(({ id, before, words }) => pairs(id, before, words)),
  );
  const added = renamed.flatMap(({ id, before, words }) => pairs(id, words, before));
  await sql`
    with named as (
      update catalog_item t
      set words = array(select jsonb_array_elements_text(w.words))
      from (
        select w.words, i.place
        from unnest(${texts(renamed.map(({ id }) => id))}::text[], ${jsonbs(renamed.map(({ words }) => words))}::jsonb[])
          as w (id, words)
        cross join lateral ${rowExactly('catalog_item', storeId, 'w.id')} i
        offset 0
      ) as w
      where t.ctid = w.place
    )
    insert into catalog_word (store_id, word, item_id)
    select ${storeId}::uuid, word, item_id
    from unnest(${texts(added.map(({ word }) => word))}::text[], ${texts(added.map(({ id }) => id))}::text[])
      as w (word, item_id)`.execute(tx);
}

/** Forgets by which words items, which are locked, are found. */
export async function deleteWords(
  tx: Sql,
  storeId: string,
  words: readonly { id: string; word: string }[],
): Promise<void> {
  if (words.length === 0) return;
  await sql`
    delete from catalog_word
    where ctid = any(array(
      select found.place
      from unnest(${texts(words.map(({ word }) => word))}::text[], ${texts(words.map(({ id }) => id))}::text[])
        as w (word, item_id)
      cross join lateral (
        select ctid as place from catalog_word
        where store_id = ${storeId} and word = w.word and item_id = w.item_id limit 1
      ) found
    ))`.execute(tx);
}

/** The words of one list that are not in another. */
function pairs(id: string, words: readonly string[], others: readonly string[]): { id: string; word: string }[] {
  return words.filter((word) => !others.includes(word)).map((word) => ({ id, word }));
}
