import { type RawBuilder, sql } from 'kysely';
import { jsonbs, texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import { rowExactly } from '../../../db/rows.ts';
import type { Sellable } from '../changes.ts';
import type { Prices } from '../prices.ts';
import { sells } from '../sellable.ts';
import { type Columns, namesOf, patchedColumns, SELLING } from './columns.ts';

/** What is to become of a row of items or variants. */
export interface RowPatch {
  id: string;
  /** Of a variant. */
  itemId?: string;
  /** By column; what is absent stays. */
  fields: object;
  /** By which an item that is not there yet is found. */
  words?: readonly string[] | undefined;
  /** As of when its stock and prices are so, where that is not now; nothing later may be known. */
  at?: Date | undefined;
}

export interface Target {
  table: 'catalog_item' | 'catalog_variant';
  columns: Columns;
}

/** What became of a row, as it was before and is now. */
export interface WrittenRow {
  id: string;
  status: 'created' | 'updated' | 'unchanged';
  before: Sellable;
  after: Sellable;
  /** Of an item. */
  wasPublished: boolean;
  isPublished: boolean;
  /** Whether it is found by other words now. */
  isRenamed: boolean;
}

interface Row extends Pick<WrittenRow, 'id' | 'isRenamed' | 'wasPublished' | 'isPublished'> {
  isNew: boolean;
  isChanged: boolean;
  stockBefore: number | null;
  stockAfter: number | null;
  soldBefore: boolean;
  sellsAfter: boolean;
  pricesBefore: RawJson | null;
  pricesAfter: RawJson | null;
}

/**
 * Patches rows, which the caller has locked, and writes those that differ; new ones in the order in which they are given.
 * One that another transaction creates meanwhile is an error, which goes away when all is done again.
 */
export async function writeRows(
  tx: Sql,
  storeId: string,
  { table, columns }: Target,
  patches: readonly RowPatch[],
): Promise<WrittenRow[]> {
  if (patches.length === 0) return [];
  const isOfItems = table === 'catalog_item';
  const itemId = isOfItems ? sql`` : sql`item_id, `;
  const words = isOfItems ? sql`string_to_array(words, ' '), ` : sql``;
  const isPublished = (row: string) => (isOfItems ? sql`${sql.ref(row)}.status = 'published'` : sql`true`);
  const { rows } = await sql<Row>`
    with wanted as (
      select * from unnest(
        ${texts(patches.map(({ id }) => id))}::text[],
        ${texts(patches.map((patch) => patch.itemId ?? null))}::text[],
        ${jsonbs(patches.map(({ fields }) => fields))}::jsonb[],
        ${texts(patches.map(({ at }) => at?.toISOString() ?? null))}::text[]::timestamptz[],
        ${texts(patches.map((patch) => patch.words?.join(' ') ?? null))}::text[]
      ) with ordinality as w (id, item_id, patch, at, words, n)
    ), patched as materialized (
      select w.id, w.item_id, w.n, w.at, w.words, p.*, o.place, o.id is null as is_new,
        (${namesOf(columns, 'p')}) is distinct from (${namesOf(columns, 'o')}) as is_changed,
        (${sellingOf('p')}) is distinct from (${sellingOf('o')}) as is_sold_otherwise,
        (p.title, p.sku) is distinct from (o.title, o.sku) as is_renamed,
        o.stock as stock_before, o.prices as prices_before, coalesce(${sells('o')}, false) as sold_before,
        coalesce(${isPublished('o')}, false) as was_published
      from wanted w
      left join lateral ${rowExactly(table, storeId, 'w.id')} o on true
      cross join lateral (select ${patchedColumns(columns)}) p
    ), created as (
      insert into ${sql.table(table)} (
        store_id, id, ${itemId}${namesOf(columns)}, ${isOfItems ? sql`words, ` : sql``}stock_at, created_at, updated_at)
      select ${storeId}::uuid, id, ${itemId}${namesOf(columns)}, ${words}coalesce(at, now()), now(), now()
      from patched where is_new order by n
    ), ${isOfItems ? foundByWords(storeId) : sql``}updated as (
      update ${sql.table(table)} t
      set ${assignments(columns)}, updated_at = case when p.is_changed then now() else t.updated_at end,
        stock_at = coalesce(p.at, case when p.is_sold_otherwise then now() else t.stock_at end)
      from patched p
      where t.ctid = p.place and (p.is_changed or p.at > t.stock_at)
    )
    select p.id, is_new as "isNew", is_changed as "isChanged", is_renamed as "isRenamed",
      was_published as "wasPublished", ${isPublished('p')} as "isPublished",
      stock_before as "stockBefore", stock as "stockAfter", sold_before as "soldBefore", ${sells('p')} as "sellsAfter",
      case when prices <> prices_before then prices_before end as "pricesBefore",
      case when prices <> prices_before then prices end as "pricesAfter"
    from patched p order by n`.execute(tx);
  return rows.map(toWritten);
}

/** A word has no blank. In the order of the index, its pages are read once. */
function foundByWords(storeId: string): RawBuilder<unknown> {
  return sql`named as (
      insert into catalog_word (store_id, word, item_id)
      select ${storeId}::uuid, word, id
      from patched cross join lateral unnest(string_to_array(words, ' ')) as w (word)
      where is_new order by word collate "C", id
    ), `;
}

function sellingOf(row: string): RawBuilder<unknown> {
  return sql.join(SELLING.map((name) => sql.ref(`${row}.${name}`)));
}

function assignments(columns: Columns): RawBuilder<unknown> {
  return sql.join(Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`p.${name}`)}`));
}

function toWritten(row: Row): WrittenRow {
  return {
    id: row.id,
    isRenamed: row.isRenamed,
    wasPublished: row.wasPublished,
    isPublished: row.isPublished,
    status: row.isNew ? 'created' : row.isChanged ? 'updated' : 'unchanged',
    before: { stock: row.stockBefore, sells: row.soldBefore, prices: row.pricesBefore?.parse<Prices>() ?? {} },
    after: { stock: row.stockAfter, sells: row.sellsAfter, prices: row.pricesAfter?.parse<Prices>() ?? {} },
  };
}
