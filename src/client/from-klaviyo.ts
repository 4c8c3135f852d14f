import type { CatalogItemInput, CatalogPricesInput } from '../../generated/native/types.gen.ts';

/** An item or a variant of a catalog as requests to Klaviyo have it, or its attributes alone. */
export interface KlaviyoItem {
  attributes: {
    external_id: string;
    title?: string | null;
    description?: string | null;
    url?: string | null;
    price?: number | null;
    image_full_url?: string | null;
    images?: string[] | null;
    custom_metadata?: Record<string, unknown> | null;
    published?: boolean | null;
    sku?: string | null;
    inventory_policy?: 0 | 1 | 2 | null;
    inventory_quantity?: number | null;
  };
  relationships?: {
    categories?: { data?: { id: string }[] | null };
    item?: { data?: { id: string } | null };
  };
}

export interface KlaviyoOptions {
  /** Of prices (ISO 4217): Klaviyo's have none. */
  currency: string;
}

/** Converts an item of Klaviyo for `upsertCatalogItem` and `upsertCatalogItemsBulk`; its categories have to be there. */
export function fromKlaviyoItem(
  { attributes, relationships }: KlaviyoItem,
  { currency }: KlaviyoOptions,
): CatalogItemInput {
  const { external_id: id, title, description, images, published } = attributes;
  const categories = relationships?.categories?.data;
  return {
    id,
    ...(title && { title }),
    ...(description !== undefined && { description }),
    ...(images !== undefined && { images }),
    ...(typeof published === 'boolean' && { status: published ? ('published' as const) : ('hidden' as const) }),
    ...(categories && { categories: categories.map((category) => externalId(category.id)) }),
    ...ofBoth(attributes, currency),
  };
}

/** Converts a variant of Klaviyo in the same way: the result is its item, with nothing but the variant. */
export function fromKlaviyoVariant(
  { attributes, relationships }: KlaviyoItem,
  { currency }: KlaviyoOptions,
): CatalogItemInput {
  const item = relationships?.item?.data?.id;
  if (item === undefined) throw new TypeError('The variant has no relationship to its item');
  const { external_id: id, title, sku, inventory_policy: policy, inventory_quantity: quantity, published } = attributes;
  const variant = {
    id,
    ...(title !== undefined && { title: title || null }),
    ...(sku !== undefined && { sku }),
    ...(typeof quantity === 'number' && { stock: Math.trunc(quantity) }),
    // Only 1 hides what is sold out.
    ...(typeof policy === 'number' && { stock_policy: policy === 1 ? ('deny' as const) : ('continue' as const) }),
    ...(typeof published === 'boolean' && { available: published }),
    ...ofBoth(attributes, currency),
  };
  return { id: externalId(item), variants: [variant] };
}

function ofBoth(
  { url, price, image_full_url: image, custom_metadata: metadata }: KlaviyoItem['attributes'],
  currency: string,
) {
  return {
    ...(url !== undefined && { url: url || null }),
    ...(image !== undefined && { image_url: image || null }),
    ...(typeof price === 'number' && { prices: { [currency]: { price } } satisfies CatalogPricesInput }),
    ...(metadata && { attributes: metadata }),
  };
}

/** `$custom:::$default:::TEA-1` → `TEA-1`. */
function externalId(id: string): string {
  return id.split(':::').at(-1) as string;
}
