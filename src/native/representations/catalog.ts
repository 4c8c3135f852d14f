import type {
  CatalogCategory,
  CatalogChange,
  CatalogItem,
  CatalogItemInput,
  CatalogItemSummary,
  CatalogSubscription,
  CatalogSync,
  CatalogVariant,
  CatalogVariantInput,
} from '../../../generated/native/types.gen.ts';
import type { Category } from '../../domain/catalog/categories.ts';
import type { ItemFields, ItemPatch, VariantFields } from '../../domain/catalog/item.ts';
import type { ListedChange } from '../../domain/catalog/read-changes.ts';
import type { Item, ItemSummary, Variant } from '../../domain/catalog/read-items.ts';
import type { Subscription } from '../../domain/catalog/subscriptions/subscriptions.ts';
import type { CatalogSync as Sync } from '../../domain/catalog/syncs.ts';

/** What of an item or a variant is cleared to what is not null. */
const CLEARED = { prices: {}, attributes: {}, options: {}, images: [] };
/** What of an item or a variant is no column of it. */
const BESIDE_FIELDS = new Set(['id', 'variants', 'variants_mode', 'categories', 'backfill']);

/** Converts a validated item. */
export function toItemPatch(body: CatalogItemInput): ItemPatch {
  const { id, variants, variants_mode, categories, backfill, status } = body;
  const fields: ItemFields = cleared(body, BESIDE_FIELDS);
  if (status) fields.hidden_because = status === 'hidden' ? 'requested' : null;
  return {
    id,
    fields,
    variants: variants?.map(toVariantPatch),
    replacesVariants: variants !== undefined && variants_mode === 'replace',
    categories: categories === null ? [] : categories,
    isBackfill: backfill,
  };
}

function toVariantPatch(body: CatalogVariantInput) {
  return { id: body.id, fields: cleared(body, BESIDE_FIELDS) as VariantFields };
}

/** Returns the fields, but some, with null replaced by what that means where a column has no null. */
export function cleared(fields: object, but: ReadonlySet<string> = new Set()): object {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!but.has(name)) result[name] = value ?? CLEARED[name as keyof typeof CLEARED] ?? value;
  }
  return result;
}

export function renderSummary(item: ItemSummary): CatalogItemSummary {
  return {
    id: item.id,
    title: item.title,
    url: item.url,
    image_url: item.imageUrl,
    brand: item.brand,
    sku: item.sku,
    prices: item.prices as unknown as CatalogItemSummary['prices'],
    stock: item.stock,
    in_stock: item.isInStock,
    variant_count: item.variants,
    status: item.status,
    hidden_because: item.hiddenBecause,
    feed_id: item.feedId,
    created_at: item.createdAt.toISOString(),
    updated_at: item.updatedAt.toISOString(),
  };
}

export function renderItem(item: Item): CatalogItem {
  return {
    ...renderSummary(item),
    description: item.description,
    images: item.images,
    stock_policy: item.stockPolicy,
    available: item.available,
    categories: item.categories,
    attributes: item.attributes as unknown as CatalogItem['attributes'],
    variants: item.variantList.map(renderVariant),
  };
}

function renderVariant(variant: Variant): CatalogVariant {
  return {
    id: variant.id,
    title: variant.title,
    sku: variant.sku,
    options: variant.options as unknown as CatalogVariant['options'],
    url: variant.url,
    image_url: variant.imageUrl,
    prices: variant.prices as unknown as CatalogVariant['prices'],
    stock: variant.stock,
    stock_policy: variant.stockPolicy,
    available: variant.available,
    in_stock: variant.isInStock,
    attributes: variant.attributes as unknown as CatalogVariant['attributes'],
    updated_at: variant.updatedAt.toISOString(),
  };
}

export function renderCategory({ id, title, parentId, createdAt, updatedAt }: Category): CatalogCategory {
  return {
    id,
    title,
    parent_id: parentId,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export function renderChange(change: ListedChange): CatalogChange {
  return {
    id: change.id,
    item_id: change.itemId,
    variant_id: change.variantId,
    kind: change.kind,
    currency: change.currency,
    before: change.before,
    after: change.after,
    changed_at: change.changedAt.toISOString(),
  };
}

export function renderSync({ id, status, hidden, createdAt, endedAt }: Sync): CatalogSync {
  return {
    id,
    status,
    hidden_count: hidden,
    created_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

export function renderSubscription(subscription: Subscription): CatalogSubscription {
  return {
    id: subscription.id,
    profile_id: subscription.profileId,
    item_id: subscription.itemId,
    variant_id: subscription.variantId,
    kind: subscription.kind,
    below: subscription.below,
    currency: subscription.currency,
    from_client: subscription.isFromClient,
    created_at: subscription.createdAt.toISOString(),
    notified_at: subscription.notifiedAt?.toISOString() ?? null,
  };
}
