import type { CatalogChangeKind, CatalogPrices } from '../../../client/index.ts';
import { money } from '../../components/money.ts';

export const CHANGE_WORDS: Readonly<Record<CatalogChangeKind, string>> = {
  back_in_stock: 'Back in stock',
  out_of_stock: 'Sold out',
  low_stock: 'Low stock',
  price_dropped: 'Price fell',
  price_raised: 'Price rose',
  published: 'Published',
  hidden: 'Hidden',
};

/** The path of an item's page. */
export function itemPath(id: string): string {
  return `/catalog/${encodeURIComponent(id)}`;
}

/** “€19.90, $21.00”; a dash if there is none. */
export function pricesInWords(prices: CatalogPrices): string {
  return (
    Object.entries(prices)
      .map(([currency, { price }]) => money(price, currency))
      .join(', ') || '–'
  );
}

/** How many pieces there are, and whether that matters. */
export function stockInWords(stock: number | null, isInStock: boolean): string {
  if (stock === null) return isInStock ? 'Not counted' : 'None';
  return isInStock || stock > 0 ? String(stock) : 'Sold out';
}
