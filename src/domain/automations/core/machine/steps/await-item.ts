import type { ItemFacts, ItemRef } from '../../../../conditions/subject.ts';
import { referencePath } from '../../definition/references.ts';
import { itemCases, type WaitForItem, type WaitStep } from '../../definition/steps.ts';
import { lookUpReference } from '../look-up-reference.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import type { Work } from '../work.ts';

/** Characters of the id of an item. */
const MAX_ID = 255;

/** Goes where the wait leads if an item is as it waits for; undefined if none is. */
export function matchItem(work: Work, run: Run, step: WaitStep): Run | undefined {
  for (const { index, asked } of itemCases(step)) {
    const ref = itemOf(work, run, asked);
    if (!ref || !isSo(asked, work.item(ref))) continue;
    return goTo(work, run, asked.next, { outcome: 'matched', condition: { index, leaf: null }, next: asked.next });
  }
  return undefined;
}

/** The changes of items that may end a wait. */
export function itemsAwaited(work: Work, run: Run, step: WaitStep): string[] {
  const keys = itemCases(step).flatMap(({ asked }) => {
    const ref = itemOf(work, run, asked);
    return ref ? [itemChangeKey(asked.catalog, ref.itemId)] : [];
  });
  return [...new Set(keys)];
}

/** By what runs and changes of the catalog find each other. */
export function itemChangeKey(kind: WaitForItem['catalog'], itemId: string): string {
  return `${kind} ${itemId}`;
}

/** Undefined where what should name it does not. */
function itemOf(work: Work, run: Run, { item }: WaitForItem): ItemRef | undefined {
  const { item_id, variant_id: variantId } = run.captured.properties;
  if (!item) return { itemId: String(item_id), variantId: typeof variantId === 'string' ? variantId : null };
  return itemNamedBy(lookUpReference(work, run, referencePath(item)));
}

/** The item whose id a value of an event or a profile is; undefined for what is none. */
export function itemNamedBy(value: unknown): ItemRef | undefined {
  const id = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return id === '' || id.length > MAX_ID ? undefined : { itemId: id, variantId: null };
}

function isSo({ catalog, currency = '', below = 0 }: WaitForItem, { available, prices }: ItemFacts): boolean {
  if (!available || catalog === 'back_in_stock') return available;
  const price = Object.hasOwn(prices, currency) ? prices[currency] : undefined;
  return price !== undefined && price < below;
}
