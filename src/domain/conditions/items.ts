import type { ItemsMatch } from './condition.ts';

/** Items of a list that are looked at, the first ones: each compiled or evaluated test is made for each of them. */
export const MAX_ITEMS = 100;

/** Comparisons of one test of items. */
export const MAX_ITEM_COMPARISONS = 10;

/** Whether a list has items as they must be, and the item that decided it. */
export interface ItemsVerdict {
  holds: boolean;
  item?: unknown;
}

/** `all` asks for an item, too, and what is no list never holds: nobody can tell what is in it. */
export function matchItems(value: unknown, match: ItemsMatch, passes: (item: unknown) => boolean): ItemsVerdict {
  if (!Array.isArray(value)) return { holds: false };
  const items = value.slice(0, MAX_ITEMS);
  const wanted = match !== 'all';
  const decisive = items.findIndex((item) => passes(item) === wanted);
  if (decisive >= 0) return { holds: match === 'any', item: items[decisive] };
  return { holds: match === 'none' || (match === 'all' && items.length > 0) };
}
