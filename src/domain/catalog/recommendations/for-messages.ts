import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import type { JsonObject } from '../../conditions/subject.ts';
import { activityOfCustomer } from '../activity/of-customer.ts';
import { priceIn } from '../find-event-items.ts';
import { findNamedItems } from '../find-named-items.ts';
import { currencyOf, itemsNamedIn } from '../items-in-events.ts';
import type { Prices } from '../prices.ts';
import { findItems, type ItemSummary } from '../read-items.ts';
import { keptRecommendation } from './kept.ts';
import type { RecommendationKind } from './recommend.ts';

/** What messages recommend for each reason, at most; and how many are looked at for those that can be bought. */
export const MAX_RECOMMENDED = 12;
const CANDIDATES = 24;
/** Items that one statement reads. */
const READ_AT_ONCE = 1_000;

/** Whom something is recommended to, and what they did; null if nothing started the message. */
export interface Recipient {
  /** Undefined for one of whom nothing is known. */
  profileId: string | undefined;
  properties: JsonObject | null;
}

/** An item as messages show it. */
export interface RecommendedItem {
  id: string;
  title: string;
  brand: string | null;
  url: string | null;
  image_url: string | null;
  /** In the currency of the event, else in another one; null where it has none. */
  price: number | null;
  compare_at: number | null;
  /** ISO 4217. */
  currency: string | null;
  because: RecommendationKind;
}

export type RecommendedItems = Partial<Record<RecommendationKind, RecommendedItem[]>> & {
  /** By what names the items. */
  also_bought_with?: Record<string, RecommendedItem[]>;
};

/** For which reasons something is recommended, and with which items what is bought: ids, those of variants, or what they are sold as. */
export interface WantedInMessages {
  kinds: ReadonlySet<RecommendationKind>;
  boughtWith: readonly string[];
}

/**
 * Finds what messages recommend to customers: of each kind up to 12 items that can be bought now, the best first, and best
 * sellers of the store after those of the kind. What is bought with others is so with the first item of the event, else with
 * what the customer ordered last; or with an item that is named, of which nothing is known where there is no such item.
 */
export async function recommendInMessages(
  db: Sql,
  storeId: string,
  { kinds, boughtWith }: WantedInMessages,
  recipients: readonly Recipient[],
): Promise<RecommendedItems[]> {
  const best = (await keptRecommendation(db, storeId, 'best_sellers', '')).slice(0, CANDIDATES);
  const found = new Map<RecommendationKind, string[][]>();
  for (const kind of kinds) found.set(kind, await candidatesOf(db, storeId, kind, recipients, best));
  const withNamed = await boughtWithNamed(db, storeId, boughtWith);
  const all = [...best, ...[...found.values()].flat(2), ...withNamed.flatMap(({ ids }) => ids)];
  const items = await readSold(db, storeId, [...new Set(all)]);
  return recipients.map(({ properties }, i) => {
    const currency = properties ? currencyOf(properties) : undefined;
    const shown = (because: RecommendationKind, ids: readonly string[], except?: string) => {
      const own = new Set(ids);
      const order = [...own.union(new Set(best))].filter((id) => id !== except);
      const known = order.flatMap((id) => items.get(id) ?? []);
      return known
        .slice(0, MAX_RECOMMENDED)
        .map((item) => toShown(item, currency, own.has(item.id) ? because : 'best_sellers'));
    };
    const lists = [...found].map(([kind, ids]) => [kind, shown(kind, ids[i] as string[])] as const);
    if (withNamed.length === 0) return Object.fromEntries(lists);
    const named = withNamed.map(({ name, id, ids }) => [name, shown('also_bought', ids, id)] as const);
    return { ...Object.fromEntries(lists), also_bought_with: Object.fromEntries(named) };
  });
}

/** What is bought with items that are named, and what their ids are, of those that there are. */
async function boughtWithNamed(
  db: Sql,
  storeId: string,
  names: readonly string[],
): Promise<{ name: string; id: string | undefined; ids: string[] }[]> {
  if (names.length === 0) return [];
  const found = await findNamedItems(
    db,
    storeId,
    names.map((name) => ({ ids: [name], variantIds: [], skus: [name] })),
  );
  const known = await alsoBoughtWith(
    db,
    storeId,
    found.flatMap((id) => id ?? []),
  );
  return names.map((name, i) => ({ name, id: found[i], ids: known.get(found[i] ?? '') ?? [] }));
}

/** Of each item, the ids of what is bought with it, the best first. */
async function alsoBoughtWith(db: Sql, storeId: string, itemIds: readonly string[]): Promise<Map<string, string[]>> {
  const known = new Map<string, string[]>();
  for (const id of new Set(itemIds)) {
    const ids = await keptRecommendation(db, storeId, 'also_bought', id);
    known.set(id, ids.filter((one) => one !== id).slice(0, CANDIDATES));
  }
  return known;
}

function toShown(item: ItemSummary, currency: string | undefined, because: RecommendationKind): RecommendedItem {
  const { id, title, brand, url, imageUrl, prices } = item;
  return { id, title, brand, url, image_url: imageUrl, ...priceIn(currency, prices.parse<Prices>()), because };
}

/** Returns the ids of items for each recipient, the best first. */
async function candidatesOf(
  db: Sql,
  storeId: string,
  kind: RecommendationKind,
  recipients: readonly Recipient[],
  best: readonly string[],
): Promise<string[][]> {
  if (kind === 'best_sellers') return recipients.map(() => [...best]);
  const customers = recipients.flatMap(({ profileId }) => profileId ?? []);
  if (kind !== 'also_bought') {
    const byCustomer = await whatTheyDid(db, storeId, kind, customers, CANDIDATES);
    return recipients.map(({ profileId }) => byCustomer.get(profileId ?? '') ?? []);
  }
  const named = await findNamedItems(
    db,
    storeId,
    recipients.map(({ properties }) => (properties ? (itemsNamedIn(properties)[0] ?? NOTHING) : NOTHING)),
  );
  const ordered = await whatTheyDid(db, storeId, 'ordered_last', customers, 1);
  const withItem = recipients.map(({ profileId }, i) => named[i] ?? ordered.get(profileId ?? '')?.[0]);
  const known = await alsoBoughtWith(
    db,
    storeId,
    withItem.flatMap((one) => one ?? []),
  );
  return withItem.map((id) => known.get(id ?? '') ?? []);
}

const NOTHING = { ids: [], variantIds: [], skus: [] };

const ORDERS = {
  recently_viewed: { kind: 'viewed', by: sql`last_at desc, item_id` },
  buy_again: { kind: 'ordered', by: sql`times desc, last_at desc, item_id` },
  ordered_last: { kind: 'ordered', by: sql`last_at desc, item_id` },
} as const;

async function whatTheyDid(
  db: Sql,
  storeId: string,
  what: keyof typeof ORDERS,
  profileIds: readonly string[],
  limit: number,
): Promise<Map<string, string[]>> {
  if (profileIds.length === 0) return new Map();
  const { kind, by } = ORDERS[what];
  const { rows } = await sql<{ profileId: string; ids: string[] }>`
    select w.id as "profileId", array(
      select item_id from ${activityOfCustomer(storeId, sql`w.id`, sql`${kind}`)} as own order by ${by} limit ${limit}
    ) as ids
    from unnest(${uuids([...new Set(profileIds)])}::uuid[]) as w (id)`.execute(db);
  return new Map(rows.map(({ profileId, ids }) => [profileId, ids]));
}

/** Returns those of items that can be bought now. */
async function readSold(db: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, ItemSummary>> {
  const sold = new Map<string, ItemSummary>();
  for (let i = 0; i < ids.length; i += READ_AT_ONCE) {
    for (const item of await findItems(db, storeId, ids.slice(i, i + READ_AT_ONCE))) {
      if (item.status === 'published' && item.isInStock) sold.set(item.id, item);
    }
  }
  return sold;
}
