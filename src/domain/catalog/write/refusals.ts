import type { Sql } from '../../../db/orm.ts';
import type { Violation } from '../../service-error.ts';
import { type ItemPatch, MAX_VARIANTS_OF_ITEM } from '../item.ts';
import { countVariants, findVariants } from './lock.ts';

/** What there is of what patches name, which stays so until the transaction ends. */
export interface Known {
  items: ReadonlySet<string>;
  categories: ReadonlySet<string>;
}

/** Returns what is wrong with patches, by their places among them; the paths are relative to each. */
export async function findRefusals(
  tx: Sql,
  storeId: string,
  patches: readonly ItemPatch[],
  { items, categories }: Known,
): Promise<Map<number, Violation>> {
  const withVariants = patches.filter(({ variants = [] }) => variants.length > 0);
  const named = withVariants.flatMap(({ variants = [] }) => variants.map(({ id }) => id));
  const owners = await findVariants(tx, storeId, [...new Set(named)]);
  const there = withVariants.map(({ id }) => id).filter((id) => items.has(id));
  const counts = await countVariants(tx, storeId, [...new Set(there)]);
  const refusals = new Map<number, Violation>();
  const seen = new Set<string>();
  const claimed = new Map<string, string>();
  for (const [place, patch] of patches.entries()) {
    const violation =
      (seen.has(patch.id) ? { path: ['id'], problem: 'is that of an item before it, too' } : undefined) ??
      problemOfTitle(patch, items) ??
      problemOfCategories(patch, categories) ??
      problemOfVariants(patch, claimed, owners) ??
      problemOfNumber(patch, owners, counts);
    seen.add(patch.id);
    if (violation) refusals.set(place, violation);
    else for (const { id } of patch.variants ?? []) claimed.set(id, patch.id);
  }
  return refusals;
}

function problemOfTitle({ id, fields }: ItemPatch, items: ReadonlySet<string>): Violation | undefined {
  if (fields.title !== undefined || items.has(id)) return undefined;
  return { path: ['title'], problem: 'is required, as there is no such item yet' };
}

function problemOfCategories({ categories = [] }: ItemPatch, known: ReadonlySet<string>): Violation | undefined {
  const unknown = categories.findIndex((id) => !known.has(id));
  return unknown < 0 ? undefined : { path: ['categories', unknown], problem: 'is not a category of the store' };
}

function problemOfVariants(
  { id: itemId, variants = [] }: ItemPatch,
  claimed: ReadonlyMap<string, string>,
  owners: ReadonlyMap<string, string>,
): Violation | undefined {
  const own = new Set<string>();
  for (const [place, { id }] of variants.entries()) {
    const path = ['variants', place, 'id'];
    if (own.has(id)) return { path, problem: 'is that of a variant before it, too' };
    own.add(id);
    const owner = claimed.get(id) ?? owners.get(id);
    if (owner !== undefined && owner !== itemId) {
      return { path, problem: `is a variant of the item ${owner}, and can not become one of ${itemId}` };
    }
  }
  return undefined;
}

function problemOfNumber(
  { id: itemId, variants = [], replacesVariants }: ItemPatch,
  owners: ReadonlyMap<string, string>,
  counts: ReadonlyMap<string, number>,
): Violation | undefined {
  const before = replacesVariants ? 0 : (counts.get(itemId) ?? 0);
  const added = variants.filter(({ id }) => replacesVariants || !owners.has(id)).length;
  if (before + added <= MAX_VARIANTS_OF_ITEM) return undefined;
  return { path: ['variants'], problem: `would become more than ${MAX_VARIANTS_OF_ITEM}` };
}
