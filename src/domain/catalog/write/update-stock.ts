import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { rowExactly } from '../../../db/rows.ts';
import type { Violation } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { type CatalogChange, changesOf, writeChanges } from '../changes.ts';
import type { VariantFields } from '../item.ts';
import { ITEM_COLUMNS, VARIANT_COLUMNS } from './columns.ts';
import { findVariants, lockItems } from './lock.ts';
import { touchItems } from './touch-items.ts';
import { byId } from './write-items.ts';
import { type RowPatch, type WrittenRow, writeRows } from './write-rows.ts';

/** What there is of a variant, or of an item without variants, and what it costs. */
export interface StockUpdate {
  target: { itemId: string } | { variantId: string };
  fields: Pick<VariantFields, 'stock' | 'prices' | 'available'>;
  /** As of when; undefined for now. */
  at?: Date | undefined;
}

export type StockOutcome = { status: 'updated' | 'unchanged' } | { status: 'rejected'; violation: Violation };

type Table = 'catalog_item' | 'catalog_variant';

/** Of what the store has, that which is named by updates: as of when its stock is known. */
interface Known {
  id: string;
  itemId: string;
  stockAt: number;
  /** Whether its stock is that of its variants. */
  hasVariants: boolean;
}

/**
 * Writes what there is in one transaction, as far as nothing later is known, and returns what became of each update, in
 * their order. Of several for the same, the latest counts.
 */
export async function updateStock(
  db: Sql,
  storeId: string,
  updates: readonly StockUpdate[],
  { isBackfill }: { isBackfill: boolean },
): Promise<StockOutcome[]> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const known = await lockAll(tx, storeId, updates);
      const outcomes = updates.map(({ target }) => refusalOf(target, known));
      const changes: CatalogChange[] = [];
      const statuses = new Map<string, WrittenRow['status']>();
      for (const table of ['catalog_item', 'catalog_variant'] as const) {
        const columns = table === 'catalog_item' ? ITEM_COLUMNS : VARIANT_COLUMNS;
        const accepted = updates.filter(({ target }, i) => tableOf(target) === table && !outcomes[i]);
        const written = await writeRows(tx, storeId, { table, columns }, patchesOf(accepted, known));
        for (const { id, status, before, after } of written) {
          const key = `${table} ${id}`;
          statuses.set(key, status);
          const { itemId } = known.get(key) as Known;
          const variantId = table === 'catalog_item' ? null : id;
          if (status === 'updated') changes.push(...changesOf({ itemId, variantId }, before, after));
        }
      }
      if (!isBackfill) await writeChanges(tx, storeId, changes);
      // Items of variants that have changed have changed.
      await touchItems(tx, storeId, changedItems(statuses, known));
      return updates.map(({ target }, i): StockOutcome => {
        const violation = outcomes[i];
        if (violation) return { status: 'rejected', violation };
        return { status: statuses.get(keyOf(target)) === 'updated' ? 'updated' : 'unchanged' };
      });
    }),
  );
}

const tableOf = (target: StockUpdate['target']): Table => ('itemId' in target ? 'catalog_item' : 'catalog_variant');
const idOf = (target: StockUpdate['target']) => ('itemId' in target ? target.itemId : target.variantId);
const keyOf = (target: StockUpdate['target']) => `${tableOf(target)} ${idOf(target)}`;

/** Locks what updates name, by the items, and returns it. */
async function lockAll(tx: Sql, storeId: string, updates: readonly StockUpdate[]): Promise<Map<string, Known>> {
  const idsOf = (table: Table) => [
    ...new Set(updates.filter(({ target }) => tableOf(target) === table).map(({ target }) => idOf(target))),
  ];
  const [items, variants] = [idsOf('catalog_item'), idsOf('catalog_variant')];
  const owners = await findVariants(tx, storeId, variants);
  await lockItems(tx, storeId, [...new Set([...items, ...owners.values()])]);
  const { rows } = await sql<Known & { key: string }>`
    select 'catalog_item ' || i.id as key, i.id, i.id as "itemId",
      (extract(epoch from i.stock_at) * 1000)::float8 as "stockAt",
      exists (select from catalog_variant where store_id = ${storeId} and item_id = i.id) as "hasVariants"
    from unnest(${texts(items)}::text[]) as w (id)
    cross join lateral ${rowExactly('catalog_item', storeId, 'w.id')} i
    union all
    select 'catalog_variant ' || v.id, v.id, v.item_id, (extract(epoch from v.stock_at) * 1000)::float8, false
    from unnest(${texts(variants)}::text[]) as w (id)
    cross join lateral ${rowExactly('catalog_variant', storeId, 'w.id')} v`.execute(tx);
  return new Map(rows.map(({ key, ...one }) => [key, one]));
}

function refusalOf(target: StockUpdate['target'], known: ReadonlyMap<string, Known>): Violation | undefined {
  const found = known.get(keyOf(target));
  if ('itemId' in target) {
    if (!found) return { path: ['item_id'], problem: 'is not an item of the store' };
    return found.hasVariants ? { path: ['item_id'], problem: 'has variants: name the variant' } : undefined;
  }
  return found ? undefined : { path: ['variant_id'], problem: 'is not a variant of the store' };
}

/** One for each of what is updated, in the order of its ids: the latest of each field, and nothing that is known later. */
function patchesOf(updates: readonly StockUpdate[], known: ReadonlyMap<string, Known>): RowPatch[] {
  const now = Date.now();
  const inTime = updates
    .map((update) => ({ ...update, time: update.at?.getTime() ?? now }))
    .filter(({ target, at, time }) => !at || time >= (known.get(keyOf(target)) as Known).stockAt)
    .sort((one, other) => one.time - other.time);
  const patches = new Map<string, RowPatch>();
  for (const { target, fields, at } of inTime) {
    const id = idOf(target);
    patches.set(id, { id, fields: { ...patches.get(id)?.fields, ...fields }, at });
  }
  return [...patches.values()].sort(byId);
}

function changedItems(statuses: ReadonlyMap<string, string>, known: ReadonlyMap<string, Known>): string[] {
  const changed = [...statuses].filter(([key, status]) => status === 'updated' && key.startsWith('catalog_variant '));
  return [...new Set(changed.map(([key]) => (known.get(key) as Known).itemId))];
}
