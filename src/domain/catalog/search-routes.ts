import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { findDescendants } from './descendants.ts';
import { isInStock } from './sellable.ts';
import { searchedWords } from './words.ts';

export interface ItemSearch {
  /** Beginnings of words of the title, or of what it is sold as. */
  text?: string | undefined;
  /** Only items in this category, or in one below it. */
  category?: string | undefined;
  brand?: string | undefined;
  status?: 'published' | 'hidden' | undefined;
  isInStock?: boolean | undefined;
  /** Only those that have changed since. */
  updatedSince?: Date | undefined;
}

/** Of an item in the order of a route. */
export interface Place {
  key: string;
  id: string;
}

/** How items are found: by an index, in its order, and what is left to ask of each. */
export interface Route {
  name: string;
  isKey: (key: string) => boolean;
  /** A query of `key` and `id`, in order. */
  places: (after: Place | undefined, limit: number) => RawBuilder<unknown>;
  /** About items `i` at places `s`. */
  filters: RawBuilder<unknown>[];
}

/** Categories up to which items are found by them: where there are more, most items are in one of them. */
const MAX_CATEGORIES = 1_000;
/** Sorts after every character. */
const LAST = '\u{10ffff}';

/** Undefined where no item can be found. */
export async function routeOf(db: Sql, storeId: string, search: ItemSearch): Promise<Route | undefined> {
  const words = search.text === undefined ? undefined : searchedWords(search.text);
  if (words?.length === 0) return undefined;
  const categories =
    search.category === undefined ? undefined : await findDescendants(db, storeId, search.category, MAX_CATEGORIES);
  if (categories?.length === 0) return undefined;
  const { category: _, text: __, ...others } = search;
  if (words)
    return byWord(storeId, words, [
      ...filtersOf(storeId, others),
      ...inCategories(storeId, search.category, categories),
    ]);
  if (categories && categories.length <= MAX_CATEGORIES)
    return byCategory(storeId, categories, filtersOf(storeId, others));
  const inOne = inCategories(storeId, search.category, categories);
  const { brand, updatedSince, ...rest } = others;
  if (brand !== undefined) return byBrand(storeId, brand, [...filtersOf(storeId, { ...rest, updatedSince }), ...inOne]);
  if (updatedSince) return byTime(storeId, updatedSince, [...filtersOf(storeId, rest), ...inOne]);
  return byId(storeId, [...filtersOf(storeId, rest), ...inOne]);
}

function filtersOf(storeId: string, search: Omit<ItemSearch, 'text' | 'category'>): RawBuilder<unknown>[] {
  const { brand, status, isInStock: isWanted, updatedSince } = search;
  return [
    ...(brand === undefined ? [] : [sql`i.brand = ${brand}`]),
    ...(status === undefined ? [] : [sql`i.status = ${status}`]),
    ...(isWanted === undefined ? [] : [sql`${isInStock(storeId, 'i')} = ${isWanted}::boolean`]),
    ...(updatedSince ? [sql`i.updated_at >= ${updatedSince}`] : []),
  ];
}

/** More than `MAX_CATEGORIES` are looked for from the other end: whether one of those that an item is in is below. */
function inCategories(storeId: string, category: string | undefined, ids: readonly string[] | undefined) {
  if (category === undefined || !ids) return [];
  const own = sql`select category_id from catalog_item_category where store_id = ${storeId} and item_id = i.id`;
  if (ids.length <= MAX_CATEGORIES) {
    return [sql`exists (select from (${own}) as own where category_id = any(${texts(ids)}::text[]))`];
  }
  return [
    sql`exists (
      with recursive above (id, depth) as (
        select category_id, 1 from (${own}) as own
        union
        select c.parent_id, depth + 1
        from above a join catalog_category c on c.store_id = ${storeId} and c.id = a.id
        where c.parent_id is not null and depth < 10
      )
      select from above where id = ${category}
    )`,
  ];
}

/** An item with two words that match is found by the first; it has the others that are asked for. */
function byWord(storeId: string, [word = '', ...others]: string[], filters: RawBuilder<unknown>[]): Route {
  const beginsWith = (column: RawBuilder<unknown>, beginning: string) =>
    sql`${column} >= ${beginning} and ${column} < ${beginning + LAST}`;
  const hasWord = (more: RawBuilder<unknown>) => sql`exists (select from unnest(i.words) as own (word) where ${more})`;
  const own = sql`own.word collate "C"`;
  return {
    name: 'word',
    isKey: (key) => key.startsWith(word),
    places: (after, limit) => sql`
      select word as key, item_id as id from catalog_word
      where store_id = ${storeId} and ${beginsWith(sql`word`, word)}
        ${after ? sql`and (word, item_id) > (${after.key}, ${after.id})` : sql``}
      order by word, item_id
      limit ${limit}`,
    filters: [
      sql`not ${hasWord(sql`${beginsWith(own, word)} and ${own} < s.key`)}`,
      ...others.map((other) => hasWord(beginsWith(own, other))),
      ...filters,
    ],
  };
}

/** The first items of each category, of which the first are the first of all. */
function byCategory(storeId: string, categories: readonly string[], filters: RawBuilder<unknown>[]): Route {
  return {
    name: 'category',
    isKey: (key) => key === '',
    places: (after, limit) => sql`
      select distinct '' as key, own.item_id as id
      from unnest(${texts(categories)}::text[]) as c (id)
      cross join lateral (
        select item_id from catalog_item_category
        where store_id = ${storeId} and category_id = c.id and item_id > ${after?.id ?? ''}
        order by item_id
        limit ${limit}
      ) own
      order by id
      limit ${limit}`,
    filters,
  };
}

function byBrand(storeId: string, brand: string, filters: RawBuilder<unknown>[]): Route {
  return {
    name: 'brand',
    isKey: (key) => key === '',
    places: (after, limit) => sql`
      select '' as key, id from catalog_item
      where store_id = ${storeId} and brand = ${brand} and id > ${after?.id ?? ''}
      order by brand, id
      limit ${limit}`,
    filters,
  };
}

function byTime(storeId: string, since: Date, filters: RawBuilder<unknown>[]): Route {
  const at = (key: string) => sql`to_timestamp(${key}::float8 / 1000)::timestamptz(3)`;
  return {
    name: 'time',
    isKey: (key) => /^\d{1,14}$/.test(key),
    places: (after, limit) => sql`
      select (extract(epoch from updated_at) * 1000)::bigint::text as key, id from catalog_item
      where store_id = ${storeId} and updated_at >= ${since}
        ${after ? sql`and (updated_at, id) > (${at(after.key)}, ${after.id})` : sql``}
      order by updated_at, id
      limit ${limit}`,
    filters,
  };
}

function byId(storeId: string, filters: RawBuilder<unknown>[]): Route {
  return {
    name: 'id',
    isKey: (key) => key === '',
    places: (after, limit) => sql`
      select '' as key, id from catalog_item
      where store_id = ${storeId} and id > ${after?.id ?? ''}
      order by id
      limit ${limit}`,
    filters,
  };
}
