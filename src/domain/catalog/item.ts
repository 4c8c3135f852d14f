import type { Prices } from './prices.ts';

/** Items that one request writes, looks up or deletes. */
export const MAX_AT_ONCE = 1_000;
/** Of a store. */
export const MAX_ITEMS = 1_000_000;
export const MAX_VARIANTS = 2_000_000;
export const MAX_CATEGORIES = 50_000;
/** Of an item. */
export const MAX_VARIANTS_OF_ITEM = 250;

/** What of a variant is written: what is absent stays as it is. */
export interface VariantFields {
  title?: string | null;
  sku?: string | null;
  options?: Record<string, string>;
  url?: string | null;
  image_url?: string | null;
  prices?: Prices;
  stock?: number | null;
  stock_policy?: 'deny' | 'continue';
  available?: boolean;
  attributes?: object;
}

/** The same of an item. */
export interface ItemFields extends Omit<VariantFields, 'title' | 'options'> {
  title?: string;
  description?: string | null;
  images?: readonly string[];
  brand?: string | null;
  status?: 'published' | 'hidden';
  hidden_because?: 'requested' | 'not_in_feed' | null;
}

export interface VariantPatch {
  id: string;
  fields: VariantFields;
}

/** What is to become of an item, which is created if there is none with its id. */
export interface ItemPatch {
  id: string;
  fields: ItemFields;
  /** Those to write; where they replace, the others are deleted. */
  variants?: readonly VariantPatch[] | undefined;
  replacesVariants?: boolean | undefined;
  /** All categories that it is in afterwards. */
  categories?: readonly string[] | undefined;
  /** Whether that is how it was in the past: no change is written down, and nothing starts. */
  isBackfill?: boolean | undefined;
}
