import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import { rowsById } from '../../../db/rows.ts';
import { IS_OF_STORE } from '../../conditions/compile-events.ts';
import type { JsonObject } from '../../conditions/subject.ts';
import { codesInOrder } from '../../coupons/codes/codes-in-orders.ts';
import { markUsed, type OrderWithCodes } from '../../coupons/codes/mark-used.ts';
import { readNextEvents } from '../../feed/readers.ts';
import { MAX_ORDER_ID, ORDER_ID_NAMES } from '../../orders/order-text.ts';
import { followAliases } from '../../profile-aliases.ts';
import { readMessageSettings } from '../../senders/message-settings.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { findNamedItems } from '../find-named-items.ts';
import { itemsNamedIn } from '../items-in-events.ts';
import { READER } from './reader.ts';
import { type Activity, type ActivityKind, writeActivity } from './write-activity.ts';

/** Events that one transaction looks at, and bytes of their properties: larger ones are no view, cart or order. */
const [MAX_EVENTS, MAX_BYTES] = [500, 32 * 1024];

/** What shops call it; orders are those of the settings of messages. */
const TYPES: Readonly<Record<Exclude<ActivityKind, 'ordered'>, readonly string[]>> = {
  viewed: ['viewed_product', 'viewed_item', 'product_viewed'],
  carted: ['added_to_cart', 'added_product_to_cart', 'product_added'],
};

/**
 * Reads a store's next changes, and writes down what customers did with which items, and which coupon codes they ordered with, in
 * the transaction that moves the place in the feed, so that each counts once, whatever fails in between. Returns whether more follows.
 */
export async function readActivity(db: Sql, storeId: string): Promise<boolean> {
  return await retryConflicts(db, () =>
    readNextEvents(db, { storeId, name: READER }, MAX_EVENTS, {
      async handle(tx, ids) {
        const read = await readEvents(tx, storeId, ids);
        await writeActivity(tx, storeId, await activityOf(tx, storeId, read));
        await markUsed(tx, storeId, ordersWithCodes(read));
      },
      isUseless: (tx) => hasNothing(tx, storeId),
    }),
  );
}

/** Nothing that customers do with items or codes is to be followed. */
async function hasNothing(tx: Sql, storeId: string): Promise<boolean> {
  const { rows } = await sql`
    select from catalog_count where store_id = ${storeId} and items > 0
    union all
    (select from coupon_pool where store_id = ${storeId} limit 1)`.execute(tx);
  return rows.length === 0;
}

interface EventRow {
  profileId: string;
  kind: ActivityKind;
  at: number;
  properties: JsonObject;
}

/**
 * Historical events count, too. What pages and apps send with a public key, as anybody can, is a view or a cart at most: an order would
 * count among what sells best, and use up codes.
 */
async function readEvents(tx: Sql, storeId: string, ids: readonly string[]): Promise<EventRow[]> {
  if (ids.length === 0) return [];
  const { attribution } = await readMessageSettings(tx, storeId);
  const kinds = new Map<string, ActivityKind>([
    ...TYPES.viewed.map((type) => [type, 'viewed'] as const),
    ...TYPES.carted.map((type) => [type, 'carted'] as const),
    ...attribution.conversionTypes.map((type) => [type, 'ordered'] as const),
  ]);
  const { rows } = await sql<Omit<EventRow, 'kind' | 'properties'> & { type: string; properties: RawJson }>`
    select e.profile_id as "profileId", e.event_type as type,
      (extract(epoch from e.occurred_at) * 1000)::float8 as at, e.properties
    from ${rowsById('event', storeId, ids)} e
    where e.event_type = any(${texts([...kinds.keys()])}::text[])
      and (e.event_type <> all(${texts(attribution.conversionTypes)}::text[]) or ${IS_OF_STORE})
      and octet_length(e.properties::text) <= ${MAX_BYTES}
    order by e.n`.execute(tx);
  return (await followAliases(tx, storeId, rows)).map(({ type, properties, ...row }) => ({
    ...row,
    kind: kinds.get(type) as ActivityKind,
    properties: JSON.parse(properties.text),
  }));
}

/** What was done with items of the catalog. */
async function activityOf(tx: Sql, storeId: string, events: readonly EventRow[]): Promise<Activity[]> {
  const named = events.flatMap(({ properties, ...event }) =>
    itemsNamedIn(properties).map((item) => ({ ...event, item })),
  );
  const found = await findNamedItems(
    tx,
    storeId,
    named.map(({ item }) => item),
  );
  return named.flatMap(({ profileId, kind, at }, i) => {
    const itemId = found[i];
    return itemId === undefined ? [] : [{ profileId, kind, itemId, at }];
  });
}

function ordersWithCodes(events: readonly EventRow[]): OrderWithCodes[] {
  return events.flatMap(({ kind, properties }) => {
    const codes = kind === 'ordered' ? codesInOrder(properties) : [];
    return codes.length === 0 ? [] : [{ orderId: orderIdIn(properties), codes }];
  });
}

function orderIdIn(properties: JsonObject): string | null {
  const id = ORDER_ID_NAMES.map((name) => properties[name]).find((value) => value !== undefined && value !== null);
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  return text !== '' && text.length <= MAX_ORDER_ID && text.isWellFormed() ? text : null;
}
