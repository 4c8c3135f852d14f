import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { RawJson } from '../../db/raw-json.ts';
import { rowExactly } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import type { JsonObject } from '../conditions/subject.ts';
import { currencyOf, itemsNamedIn, MAX_ITEMS_OF_EVENT, type NamedItem } from './items-in-events.ts';
import type { Prices } from './prices.ts';
import { findItems } from './read-items.ts';
import { rowBySku } from './row-by-sku.ts';
import { sells } from './sellable.ts';

/** An item of an event, as it is in the catalog now, and as it is told; of a variant, what that has of its own. */
export interface EventItem {
  id: string;
  variant_id: string | null;
  title: string;
  variant_title: string | null;
  brand: string | null;
  url: string | null;
  image_url: string | null;
  /** In the currency of the event, else in another one; null where it has none. */
  price: number | null;
  compare_at: number | null;
  /** ISO 4217. */
  currency: string | null;
  in_stock: boolean;
}

/** Ids and numbers that one statement looks up. */
const LOOKED_UP = 2_000;

/** Finds in the catalog the items that each of some events names, the first `limit`; each item or variant once. */
export async function findEventItems(
  db: Sql,
  storeId: string,
  events: readonly JsonObject[],
  limit = MAX_ITEMS_OF_EVENT,
): Promise<EventItem[][]> {
  const named = events.map((properties) => itemsNamedIn(properties).slice(0, limit));
  const known = await lookUp(db, storeId, named.flat().flatMap(textsOf));
  const refs = named.map((some) => distinct(some.flatMap((one) => resolve(one, known) ?? [])));
  const all = refs.flat();
  if (all.length === 0) return refs.map(() => []);
  const items = await findItems(db, storeId, [...new Set(all.map(({ itemId }) => itemId))]);
  const byId = new Map(items.map((item) => [item.id, item]));
  const variants = await readVariants(
    db,
    storeId,
    all.flatMap(({ variantId }) => variantId ?? []),
  );
  return refs.map((some, i) => {
    const currency = currencyOf(events[i] as JsonObject);
    return some.flatMap(({ itemId, variantId }): EventItem[] => {
      const item = byId.get(itemId);
      if (!item) return [];
      const variant = variantId === null ? undefined : variants.get(variantId);
      return [
        {
          ...{ id: item.id, variant_id: variant?.id ?? null, title: item.title, variant_title: variant?.title ?? null },
          brand: item.brand,
          url: variant?.url ?? item.url,
          image_url: variant?.imageUrl ?? item.imageUrl,
          ...priceIn(currency, (variant?.hasPrices ? variant : item).prices.parse()),
          in_stock: variant?.isInStock ?? item.isInStock,
        },
      ];
    });
  });
}

/** The price in a currency, else in another one in which there is a price. */
export function priceIn(
  wanted: string | undefined,
  prices: Prices,
): Pick<EventItem, 'price' | 'compare_at' | 'currency'> {
  const currency = wanted !== undefined && Object.hasOwn(prices, wanted) ? wanted : Object.keys(prices).sort()[0];
  const price = currency === undefined ? undefined : prices[currency];
  return { price: price?.price ?? null, compare_at: price?.compare_at ?? null, currency: currency ?? null };
}

interface Ref {
  itemId: string;
  variantId: string | null;
}

/** What a text is in the catalog; the same may be several. */
interface Known {
  text: string;
  item: Ref | null;
  variant: Ref | null;
  sku: Ref | null;
}

const textsOf = ({ ids, variantIds, skus }: NamedItem) => [...ids, ...variantIds, ...skus];

async function lookUp(db: Sql, storeId: string, named: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  const wanted = [...new Set(named)];
  const found = new Map<string, Known>();
  for (let i = 0; i < wanted.length; i += LOOKED_UP) {
    for (const one of await readKnown(db, storeId, wanted.slice(i, i + LOOKED_UP))) found.set(one.text, one);
  }
  return found;
}

async function readKnown(db: Sql, storeId: string, wanted: readonly string[]): Promise<Known[]> {
  const { rows } = await sql<{ text: string } & Record<'item' | 'ofVariant' | 'skuItem' | 'skuVariant', string | null>>`
    select w.text, i.id as item, v.item_id as "ofVariant", coalesce(vs.item_id, s.id) as "skuItem", vs.id as "skuVariant"
    from unnest(${texts(wanted)}::text[]) as w (text)
    left join lateral ${rowExactly('catalog_item', storeId, 'w.text')} i on true
    left join lateral ${rowExactly('catalog_variant', storeId, 'w.text')} v on true
    left join lateral ${rowBySku('catalog_variant', storeId, 'w.text')} vs on true
    left join lateral ${rowBySku('catalog_item', storeId, 'w.text')} s on true
    where num_nonnulls(i.id, v.item_id, vs.id, s.id) > 0`.execute(db);
  return rows.map(({ text, item, ofVariant, skuItem, skuVariant }) => ({
    text,
    item: item === null ? null : { itemId: item, variantId: null },
    variant: ofVariant === null ? null : { itemId: ofVariant, variantId: text },
    sku: skuItem === null ? null : { itemId: skuItem, variantId: skuVariant },
  }));
}

/** An id is that of an item, else of a variant, else a number; with an item, only a variant of its own says more. */
function resolve({ ids, variantIds, skus }: NamedItem, known: ReadonlyMap<string, Known>): Ref | undefined {
  const find = (all: readonly string[], ...kinds: readonly ('item' | 'variant' | 'sku')[]): Ref[] =>
    all.flatMap((text) => kinds.map((kind) => known.get(text)?.[kind]).find((ref) => ref) ?? []);
  const [item] = find(ids, 'item', 'variant', 'sku');
  const finer = [...find(variantIds, 'variant', 'sku'), ...find(skus, 'sku')];
  if (!item) return finer[0] ?? find(variantIds, 'item')[0] ?? find(skus, 'variant', 'item')[0];
  if (item.variantId !== null) return item;
  return finer.find(({ itemId }) => itemId === item.itemId) ?? item;
}

function distinct(refs: readonly Ref[]): Ref[] {
  return [...new Map(refs.map((ref) => [JSON.stringify([ref.itemId, ref.variantId]), ref])).values()];
}

interface VariantRow {
  id: string;
  title: string | null;
  url: string | null;
  imageUrl: string | null;
  prices: RawJson;
  hasPrices: boolean;
  isInStock: boolean;
}

async function readVariants(db: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, VariantRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<VariantRow>`
    select v.id, v.title, v.url, v.image_url as "imageUrl", v.prices, v.prices <> '{}' as "hasPrices",
      ${sells('v')} as "isInStock"
    from unnest(${texts([...new Set(ids)])}::text[]) as w (id)
    cross join lateral ${rowExactly('catalog_variant', storeId, 'w.id')} v`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
