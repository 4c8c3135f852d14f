import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { canonicalName } from '../canonical/text.ts';
import type { ItemSummary } from '../catalog/read-items.ts';
import { searchItems } from '../catalog/search-items.ts';
import { findOrder, type Order } from '../orders/find-orders.ts';
import type { Hit, Search, Searcher } from './hit.ts';
import { best } from './named.ts';

/** Counts of types in days that are looked at, of the latest days. */
const MAX_COUNTS = 5_000;
/** Pages of items that have one of the words which are looked through for the others. */
const MAX_PAGES = 3;

const ORDERS: Searcher = { kind: 'order', scopes: ['reports:read', 'events:read'], find: byNumber };
const ITEMS: Searcher = { kind: 'item', scopes: ['catalog:read'], find: itemsByWords };
const EVENT_TYPES: Searcher = { kind: 'event_type', scopes: ['reports:read', 'events:read'], find: typesByName };

export const OTHER_SEARCHERS = { orders: [ORDERS], last: [ITEMS, EVENT_TYPES] };

/** The whole number, as the shop has it, or as people write it. */
async function byNumber(db: Sql, { storeId }: Caller, { text }: Search): Promise<Hit[]> {
  const bare = text.replace(/^#\s*/, '');
  const cases = [bare, bare.toUpperCase(), bare.toLowerCase()];
  const order = await findOrderOf(db, storeId, new Set([text, ...cases.flatMap((one) => [one, `#${one}`])]));
  if (!order) return [];
  const { id, amount, currency, profileId } = order;
  const subtitle = amount === null ? null : [amount, currency].filter((part) => part !== null).join(' ');
  return [{ kind: 'order', id, title: id, subtitle, profileId }];
}

/** The first of some numbers that an order has. */
async function findOrderOf(db: Sql, storeId: string, numbers: Iterable<string>): Promise<Order | undefined> {
  for (const number of numbers) {
    const order = await findOrder(db, storeId, number);
    if (order) return order;
  }
  return undefined;
}

/** By words of the title, or what they are sold as: the longest one first, which the fewest have. */
async function itemsByWords(db: Sql, { storeId }: Caller, search: Search, cut: () => void): Promise<Hit[]> {
  const { text, limit } = search;
  const words = text.split(/\s+/).toSorted((one, other) => other.length - one.length);
  const items: ItemSummary[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && items.length < limit; page += 1) {
    const found = await searchItems(db, storeId, { text: words.join(' ') }, { limit: limit - items.length, cursor });
    items.push(...found.items);
    cursor = found.next ?? undefined;
    if (cursor === undefined) break;
  }
  if (cursor !== undefined && items.length < limit) cut();
  return items.map(({ id, title, sku, brand }) => {
    const others = [brand, sku].filter((part) => part !== null);
    return { kind: 'item', id, title, subtitle: others.join(' · ') || null, profileId: null };
  });
}

/** Of the types that have happened lately. */
async function typesByName(db: Sql, { storeId }: Caller, { text, limit }: Search): Promise<Hit[]> {
  const { rows } = await sql<{ type: string }>`
    select distinct type from (
      select event_type as type from event_day where store_id = ${storeId} order by day desc limit ${MAX_COUNTS}
    ) as counted
    order by type`.execute(db);
  const types = best(canonicalName(text), limit, rows, ({ type }) => `${type} ${type.replaceAll('_', ' ')}`);
  return types.map(({ type }) => ({ kind: 'event_type', id: type, title: type, subtitle: null, profileId: null }));
}
