import { priceIn } from '../../../catalog/find-event-items.ts';
import type { ItemNow } from '../../../catalog/items-now.ts';
import type { StoredItemChange } from './item-change.ts';

/** What runs may name of an item that has changed: as `event.properties`, by the names that events have for it. */
export function itemProperties(
  { kind, itemId, variantId, currency, before, after }: Omit<StoredItemChange, 'id' | 'at'>,
  item: ItemNow | undefined,
): Record<string, unknown> {
  const price = priceIn(currency ?? undefined, item?.prices.parse() ?? {});
  return {
    change: kind,
    item_id: itemId,
    variant_id: variantId,
    title: item?.title ?? null,
    variant_title: item?.variantTitle ?? null,
    brand: item?.brand ?? null,
    url: item?.url ?? null,
    image_url: item?.imageUrl ?? null,
    ...price,
    before,
    after,
    stock: item?.stock ?? null,
    in_stock: item?.isInStock ?? false,
    categories: item?.categories.parse() ?? [],
    attributes: item?.attributes.parse() ?? {},
  };
}
