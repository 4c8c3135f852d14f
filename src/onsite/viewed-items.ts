import { load, remove, save } from './storage.ts';
import { type Fields, isFields } from './values.ts';

/** Shops' themes read it, to show what a visitor has seen: items with the number of views, the most viewed first. */
const STORED_AS = '__kla_viewed';
const MAX_ITEMS = 20;
/** Seconds. */
const KEPT_FOR = 30 * 24 * 3600;

type Viewed = [item: Fields, views: number];

/** Counts a view of an item, and returns what is seen of a customer's profile: the items with their views. */
export function addViewedItem(item: Fields): Fields[] {
  const now = Math.floor(Date.now() / 1000);
  const stored = load(STORED_AS);
  let all = (Array.isArray(stored) ? stored : []).filter(
    (entry): entry is Viewed =>
      Array.isArray(entry) && isFields(entry[0]) && Number(entry[0].LastViewedDate) > now - KEPT_FOR,
  );
  const views = all.find(([{ ItemId }]) => ItemId === item.ItemId)?.[1] ?? 0;
  all = all.filter(([{ ItemId }]) => ItemId !== item.ItemId);
  all.unshift([{ ...item, LastViewedDate: now }, views + 1]);
  all = all.slice(0, MAX_ITEMS).sort((one, other) => other[1] - one[1]);
  save(STORED_AS, all);
  return all.map(([seen, count]) => ({ ...seen, Views: count }));
}

export function forgetViewedItems(): void {
  remove(STORED_AS);
}
