import { sql } from 'kysely';
import { rowsById } from '../../../../db/rows.ts';
import type { Sql } from '../../../../db/sql.ts';
import type { ChangeKind } from '../../../catalog/changes.ts';
import { LOW_STOCK } from '../../../catalog/changes.ts';
import type { ItemNow } from '../../../catalog/items-now.ts';
import type { Prices } from '../../../catalog/prices.ts';
import type { CatalogTrigger } from '../../core/definition/definition.ts';

/** A change of an item of which automations may tell customers. */
export interface StoredItemChange {
  id: string;
  kind: CatalogTrigger['change'];
  itemId: string;
  variantId: string | null;
  currency: string | null;
  /** Prices, or pieces in stock. */
  before: number | null;
  after: number | null;
  /** Milliseconds. */
  at: number;
}

const KINDS: Partial<Record<ChangeKind, StoredItemChange['kind']>> = {
  back_in_stock: 'back_in_stock',
  price_dropped: 'price_drop',
  low_stock: 'low_stock',
};

/** Returns those of some changes of the catalog of which automations may tell somebody, by id. */
export async function readItemChanges(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, StoredItemChange>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Omit<StoredItemChange, 'kind'> & { kind: ChangeKind }>`
    select c.id, c.kind, c.item_id as "itemId", c.variant_id as "variantId", c.currency, c.before::float8 as before,
      c.after::float8 as after, (extract(epoch from c.changed_at) * 1000)::float8 as at
    from ${rowsById('catalog_change', storeId, ids)} c`.execute(tx);
  return new Map(
    rows.flatMap((row) => {
      const kind = KINDS[row.kind];
      return kind ? [[row.id, { ...row, kind }] as const] : [];
    }),
  );
}

/** Whether a trigger is about a change, as far as that says so itself. */
export function isWanted(trigger: CatalogTrigger, { kind, currency, before, after }: StoredItemChange): boolean {
  if (trigger.change !== kind) return false;
  switch (kind) {
    case 'back_in_stock':
      return true;
    case 'low_stock': {
      const below = trigger.below ?? LOW_STOCK + 1;
      return before !== null && after !== null && before >= below && after < below;
    }
    case 'price_drop': {
      if (before === null || after === null) return false;
      if (trigger.currency !== undefined && trigger.currency !== currency) return false;
      if (trigger.below !== undefined && after >= trigger.below) return false;
      // Of decimals, doubles have no exact difference.
      return ((before - after) / before) * 100 >= (trigger.min_percent ?? 0) - 1e-9;
    }
  }
}

/** Whether it is so still: it can be bought, and is not dearer or more than it was. */
export function isStillSo(
  trigger: CatalogTrigger,
  { kind, currency, after }: StoredItemChange,
  item: ItemNow | undefined,
): boolean {
  if (!item?.isPublished || !item.isInStock) return false;
  if (kind === 'low_stock') return item.stock !== null && item.stock < (trigger.below ?? LOW_STOCK + 1);
  if (kind === 'back_in_stock') return true;
  const price = currency === null ? undefined : item.prices.parse<Prices>()[currency]?.price;
  return price !== undefined && price <= (after ?? 0);
}
