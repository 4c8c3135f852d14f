import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import type { RawJson } from '../../db/raw-json.ts';
import { rowExactly } from '../../db/rows.ts';
import { sells } from './sellable.ts';

/** An item as it is listed. */
export interface ItemSummary {
  id: string;
  title: string;
  url: string | null;
  imageUrl: string | null;
  brand: string | null;
  sku: string | null;
  /** Those of its variants if it has any: of each currency the lowest, of those that can be bought if one can. */
  prices: RawJson;
  /** Of all variants together; null where it is not counted. */
  stock: number | null;
  isInStock: boolean;
  variants: number;
  status: 'published' | 'hidden';
  hiddenBecause: 'requested' | 'not_in_feed' | null;
  /** The feed that wrote it last; null for a request. */
  feedId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A variant as it is shown with its item. */
export interface Variant {
  id: string;
  title: string | null;
  sku: string | null;
  options: RawJson;
  url: string | null;
  imageUrl: string | null;
  prices: RawJson;
  stock: number | null;
  stockPolicy: 'deny' | 'continue';
  available: boolean;
  isInStock: boolean;
  attributes: RawJson;
  updatedAt: Date;
}

export interface Item extends ItemSummary {
  description: string | null;
  images: string[];
  stockPolicy: 'deny' | 'continue';
  available: boolean;
  attributes: RawJson;
  /** The ids of those that it is in. */
  categories: string[];
  variantList: Variant[];
}

interface Times {
  created: number;
  updated: number;
}

export type SummaryRow = Omit<ItemSummary, 'createdAt' | 'updatedAt'> & Times;

const ms = (column: string): RawBuilder<number> => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** To select of items `i`, with `withVariants` after them. */
export const SUMMARY = sql`
  i.id, i.title, i.url, i.image_url as "imageUrl", i.brand, i.sku,
  i.prices || coalesce(lowest.prices, '{}') as prices,
  case when v.variants > 0 then v.stock else i.stock end::float8 as stock,
  case when v.variants > 0 then v.sells else ${sells('i')} end as "isInStock",
  v.variants, i.status, i.hidden_because as "hiddenBecause", i.feed_id as "feedId",
  ${ms('i.created_at')} as created, ${ms('i.updated_at')} as updated`;

/** Their variants, of a store. */
export const withVariants = (storeId: string) => sql`
  cross join lateral (
    select count(*)::int as variants, coalesce(bool_or(${sells('v')}), false) as sells,
      case when count(v.stock) = count(*) then sum(v.stock) end as stock
    from catalog_variant v where v.store_id = ${storeId} and v.item_id = i.id
  ) v
  left join lateral (
    select jsonb_object_agg(currency, price) as prices
    from (
      select distinct on (p.key) p.key as currency, p.value as price
      from catalog_variant v cross join lateral jsonb_each(v.prices) p
      where v.store_id = ${storeId} and v.item_id = i.id
      order by p.key, ${sells('v')} desc, (p.value ->> 'price')::numeric, v.id
    ) as price
    where v.variants > 0
  ) lowest on true`;

export function summaryFromRow({ created, updated, ...summary }: SummaryRow): ItemSummary {
  return { ...summary, createdAt: new Date(created), updatedAt: new Date(updated) };
}

type ItemRow = SummaryRow &
  Pick<Item, 'description' | 'images' | 'stockPolicy' | 'available' | 'attributes' | 'categories'>;
type VariantRow = Omit<Variant, 'updatedAt'> & Pick<Times, 'updated'>;

/** Undefined if the store has no such item. */
export async function findItem(db: Sql, storeId: string, id: string): Promise<Item | undefined> {
  const { rows } = await sql<ItemRow>`
    select ${SUMMARY}, i.description, i.images, i.stock_policy as "stockPolicy", i.available, i.attributes,
      array(
        select category_id from catalog_item_category
        where store_id = ${storeId} and item_id = i.id order by category_id
      ) as categories
    from catalog_item i ${withVariants(storeId)}
    where i.store_id = ${storeId} and i.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { created, updated, ...item } = row;
  const variantList = await readVariants(db, storeId, id);
  return { ...item, createdAt: new Date(created), updatedAt: new Date(updated), variantList };
}

async function readVariants(db: Sql, storeId: string, itemId: string): Promise<Variant[]> {
  const { rows } = await sql<VariantRow>`
    select id, title, sku, options, url, image_url as "imageUrl", prices, stock, stock_policy as "stockPolicy", available,
      ${sells('v')} as "isInStock", attributes, ${ms('v.updated_at')} as updated
    from catalog_variant v
    where store_id = ${storeId} and item_id = ${itemId}
    order by id`.execute(db);
  return rows.map(({ updated, ...variant }) => ({ ...variant, updatedAt: new Date(updated) }));
}

/** Returns those of some items that there are, in the order in which they are asked for. */
export async function findItems(db: Sql, storeId: string, ids: readonly string[]): Promise<ItemSummary[]> {
  const { rows } = await sql<SummaryRow>`
    select ${SUMMARY}
    from unnest(${texts(ids)}::text[]) with ordinality as w (id, n)
    cross join lateral ${rowExactly('catalog_item', storeId, 'w.id')} i
    ${withVariants(storeId)}
    order by w.n`.execute(db);
  return rows.map(summaryFromRow);
}
