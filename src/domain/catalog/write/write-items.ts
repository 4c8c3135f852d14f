import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { invalidAll, type Violation } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { type CatalogChange, changesOf, writeChanges } from '../changes.ts';
import type { ItemPatch } from '../item.ts';
import { wordsOf } from '../words.ts';
import { COMING_ITEM_COLUMNS, VARIANT_COLUMNS } from './columns.ts';
import { count } from './count.ts';
import { byBytes, lockCategories, lockItems } from './lock.ts';
import { findRefusals } from './refusals.ts';
import { replaceVariants } from './replace-variants.ts';
import { expectOpen, noteSeen } from './seen.ts';
import { touchItems } from './touch-items.ts';
import { writeCategoriesOf } from './write-categories-of.ts';
import { type WrittenRow, writeRows } from './write-rows.ts';
import { writeWords } from './write-words.ts';

/** What became of an item that was to be written; the violation's path is relative to it. */
export type Outcome = { status: 'created' | 'updated' | 'unchanged' } | { status: 'rejected'; violation: Violation };

export interface Writing {
  /** The feed that the items come from; null for a request. */
  feedId?: string | null;
  /** The load of the whole catalog that they belong to. */
  syncId?: string | undefined;
  /** Items that the shop has and that can't be written: they have come with the load, too. */
  alsoSeen?: readonly string[] | undefined;
  /** Where one that can't be written refuses all: the path of a place among them. */
  refuses?: ((place: number) => Violation['path']) | undefined;
}

/**
 * Writes up to `MAX_AT_ONCE` items in one transaction, each as far as it differs from what is there, and returns what
 * became of each, in their order.
 */
export async function writeItems(
  db: Sql,
  storeId: string,
  patches: readonly ItemPatch[],
  writing: Writing,
): Promise<Outcome[]> {
  return await retryConflicts(db, () => db.transaction().execute((tx) => write(tx, storeId, patches, writing)));
}

/** The same in the caller's transaction, which has locked nothing of the catalog. */
export async function write(
  tx: Sql,
  storeId: string,
  patches: readonly ItemPatch[],
  { feedId = null, syncId, alsoSeen = [], refuses }: Writing,
): Promise<Outcome[]> {
  if (syncId !== undefined) await expectOpen(tx, storeId, syncId);
  const categories = await lockCategories(tx, storeId, [
    ...new Set(patches.flatMap((patch) => patch.categories ?? [])),
  ]);
  const items = await lockItems(tx, storeId, [...new Set(patches.map(({ id }) => id))]);
  const refusals = await findRefusals(tx, storeId, patches, { items, categories });
  if (refuses && refusals.size > 0) {
    throw invalidAll(
      [...refusals].map(([place, { path, problem }]) => ({ path: [...refuses(place), ...path], problem })),
    );
  }
  const accepted = patches.filter((_, place) => !refusals.has(place)).sort(byId);
  const written = await writeAll(tx, storeId, accepted, { feedId, known: items });
  if (syncId !== undefined) await noteSeen(tx, storeId, syncId, [...patches.map(({ id }) => id), ...alsoSeen]);
  return patches.map(({ id }, place): Outcome => {
    const violation = refusals.get(place);
    return violation ? { status: 'rejected', violation } : { status: written.get(id) ?? 'unchanged' };
  });
}

async function writeAll(
  tx: Sql,
  storeId: string,
  patches: readonly ItemPatch[],
  { feedId, known }: { feedId: string | null; known: ReadonlySet<string> },
): Promise<Map<string, WrittenRow['status']>> {
  const items = await writeRows(
    tx,
    storeId,
    { table: 'catalog_item', columns: COMING_ITEM_COLUMNS },
    patches.map((patch) => ({
      id: patch.id,
      fields: { ...patch.fields, feed_id: feedId },
      words: known.has(patch.id) ? undefined : wordsOfNew(patch),
    })),
  );
  const variants = await writeRows(
    tx,
    storeId,
    { table: 'catalog_variant', columns: VARIANT_COLUMNS },
    patches
      .flatMap(({ id: itemId, variants: own = [] }) => own.map(({ id, fields }) => ({ id, itemId, fields })))
      .sort(byId),
  );
  const itemOf = new Map(patches.flatMap(({ id, variants: own = [] }) => own.map((variant) => [variant.id, id])));
  const replaced = await replaceVariants(tx, storeId, patches);
  const sorted = await writeCategoriesOf(tx, storeId, patches);
  const touched = new Set([
    ...variants.filter(({ status }) => status !== 'unchanged').map(({ id }) => itemOf.get(id) as string),
    ...replaced.keys(),
    ...sorted,
  ]);
  const statuses = new Map(
    items.map(({ id, status }) => [id, status === 'unchanged' && touched.has(id) ? ('updated' as const) : status]),
  );
  const renamed = new Set([
    ...items.filter(({ isRenamed }) => isRenamed).map(({ id }) => id),
    ...variants.filter(({ isRenamed }) => isRenamed).map(({ id }) => itemOf.get(id) as string),
    ...replaced.keys(),
  ]);
  // A new item is found by its words already.
  for (const { id, status } of items) if (status === 'created') renamed.delete(id);
  // An item whose variants or categories have changed has changed.
  const stale = items.filter(({ id, status }) => status === 'unchanged' && touched.has(id));
  await touchItems(
    tx,
    storeId,
    stale.map(({ id }) => id),
  );
  await writeWords(tx, storeId, [...renamed]);
  const historical = new Set(patches.filter(({ isBackfill }) => isBackfill).map(({ id }) => id));
  const changes = await changesAmong(tx, storeId, items, variants, itemOf);
  await writeChanges(
    tx,
    storeId,
    changes.filter(({ itemId }) => !historical.has(itemId)),
  );
  const created = (rows: readonly WrittenRow[]) => rows.filter(({ status }) => status === 'created').length;
  const gone = [...replaced.values()].reduce((sum, ids) => sum + ids, 0);
  await count(tx, storeId, { items: created(items), variants: created(variants) - gone });
  return statuses;
}

/** All that a new item is called: it has the variants that come with it. */
function wordsOfNew({ fields, variants = [] }: ItemPatch): string[] {
  const skus = [...variants].sort(byId).map((variant) => variant.fields.sku ?? null);
  return wordsOf(fields.title as string, [fields.sku ?? null, ...skus]);
}

/** What is not there before has not changed. Stock and prices of an item with variants are those of its variants. */
async function changesAmong(
  tx: Sql,
  storeId: string,
  items: readonly WrittenRow[],
  variants: readonly WrittenRow[],
  itemOf: ReadonlyMap<string, string>,
): Promise<CatalogChange[]> {
  const updated = items.filter(({ status }) => status === 'updated');
  const ofStatus = updated.flatMap(({ id, wasPublished, isPublished }): CatalogChange[] => {
    if (wasPublished === isPublished) return [];
    const kind = isPublished ? 'published' : 'hidden';
    return [{ itemId: id, variantId: null, kind, currency: null, before: null, after: null }];
  });
  const ofItems = updated.flatMap(({ id, before, after }) => changesOf({ itemId: id, variantId: null }, before, after));
  const withVariants = await findWithVariants(tx, storeId, [...new Set(ofItems.map(({ itemId }) => itemId))]);
  const ofVariants = variants
    .filter(({ status }) => status === 'updated')
    .flatMap(({ id, before, after }) => changesOf({ itemId: itemOf.get(id) as string, variantId: id }, before, after));
  return [...ofStatus, ...ofItems.filter(({ itemId }) => !withVariants.has(itemId)), ...ofVariants];
}

async function findWithVariants(tx: Sql, storeId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select w.id from unnest(${texts(ids)}::text[]) as w (id)
    where exists (select from catalog_variant where store_id = ${storeId} and item_id = w.id)`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

export function byId<Row extends { id: string }>(one: Row, other: Row): number {
  return byBytes(one.id, other.id);
}
