import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { enter } from '../feed/entries.ts';
import type { Prices } from './prices.ts';

export type ChangeKind =
  | 'back_in_stock'
  | 'out_of_stock'
  | 'low_stock'
  | 'price_dropped'
  | 'price_raised'
  | 'published'
  | 'hidden';

/** What has changed of an item, or of one of its variants. */
export interface CatalogChange {
  itemId: string;
  variantId: string | null;
  kind: ChangeKind;
  currency: string | null;
  /** Prices, or pieces in stock. */
  before: number | null;
  after: number | null;
}

/** What can be bought, at a time. */
export interface Sellable {
  stock: number | null;
  /** Whether it can be. */
  sells: boolean;
  prices: Prices;
}

/** Pieces up to which each change to fewer is one, as long as there are any. */
export const LOW_STOCK = 20;

/** Returns what has changed from one time to another. */
export function changesOf(
  { itemId, variantId }: Pick<CatalogChange, 'itemId' | 'variantId'>,
  before: Sellable,
  after: Sellable,
): CatalogChange[] {
  const stock = kindOfStock(before, after);
  const ofStock = stock ? [{ kind: stock, currency: null, before: before.stock, after: after.stock }] : [];
  const ofPrices = Object.entries(after.prices).flatMap(([currency, { price }]) => {
    const former = before.prices[currency]?.price;
    if (former === undefined || former === price) return [];
    const kind: ChangeKind = price < former ? 'price_dropped' : 'price_raised';
    return [{ kind, currency, before: former, after: price }];
  });
  return [...ofStock, ...ofPrices].map((change) => ({ itemId, variantId, ...change }));
}

function kindOfStock(before: Sellable, after: Sellable): ChangeKind | undefined {
  if (before.sells !== after.sells) return after.sells ? 'back_in_stock' : 'out_of_stock';
  if (!after.sells || before.stock === null || after.stock === null) return undefined;
  return after.stock > 0 && after.stock <= LOW_STOCK && after.stock < before.stock ? 'low_stock' : undefined;
}

/** Writes changes down and enters them into the change feed, in their order, as one entry. */
export async function writeChanges(tx: Sql, storeId: string, changes: readonly CatalogChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(() => ({ id: newId() }));
  await sql`
    with written as (
      insert into catalog_change (store_id, id, item_id, variant_id, kind, currency, before, after, changed_at)
      select ${storeId}::uuid, id, item_id, variant_id, kind, currency, before::numeric, after::numeric, now()
      from unnest(
        ${uuids(rows.map(({ id }) => id))}::uuid[],
        ${texts(changes.map(({ itemId }) => itemId))}::text[],
        ${texts(changes.map(({ variantId }) => variantId))}::text[],
        ${texts(changes.map(({ kind }) => kind))}::text[],
        ${texts(changes.map(({ currency }) => currency))}::text[],
        ${texts(changes.map(({ before }) => numeral(before)))}::text[],
        ${texts(changes.map(({ after }) => numeral(after)))}::text[]
      ) as w (id, item_id, variant_id, kind, currency, before, after)
    )
    ${enter(storeId, 'catalog_change', rows)}`.execute(tx);
}

function numeral(number: number | null): string | null {
  return number === null ? null : String(number);
}
