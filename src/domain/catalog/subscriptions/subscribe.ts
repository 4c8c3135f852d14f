import { type RawBuilder, sql } from 'kysely';
import { Outdated } from '../../../db/driver-errors.ts';
import type { Sql } from '../../../db/orm.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { invalid, type Violation } from '../../service-error.ts';
import { SUBSCRIPTION_COLUMNS, type Subscription, type SubscriptionRow, subscriptionFromRow } from './subscriptions.ts';

/** Items for which a customer waits at a time. */
export const MAX_WAITING = 100;

/** What a customer waits for: an item, one of its variants, or what a page calls by the id of either. */
export type Awaited = { itemId: string } | { variantId: string } | { named: string };

/** A price that an item has to cost less than. */
export interface Below {
  price: number;
  currency: string;
}

export interface Subscribing {
  profileId: string;
  awaited: Awaited;
  kind: Subscription['kind'];
  below: Below | null;
  /** Whether a page or an app says so, with a public key: anybody may. */
  isFromClient: boolean;
}

export interface Subscribed {
  subscription: Subscription;
  /** Whether the customer did not wait for it before. */
  isNew: boolean;
}

/**
 * Has a customer wait for an item, in the caller's transaction. Throws `validation_error` for an item that the catalog does not have,
 * and for a customer who waits for too many. What a page says does not change what the store has written down, nor adds to what a
 * customer waits for at most, nor takes from that, and is about what is published: else it returns undefined.
 */
export async function subscribe(tx: Sql, storeId: string, subscribing: Subscribing): Promise<Subscribed | undefined> {
  const { profileId, kind, below, isFromClient } = subscribing;
  if (!(await holdProfile(tx, storeId, profileId))) {
    if (isFromClient) return undefined;
    throw new Outdated();
  }
  const found = await findAwaited(tx, storeId, subscribing);
  if (!found) {
    if (isFromClient) return undefined;
    throw invalid(notThere(subscribing.awaited));
  }
  const { itemId, variantId } = found;
  const known = sql`
    select from catalog_subscription
    where store_id = ${storeId} and item_id = ${itemId} and kind = ${kind} and profile_id = ${profileId}
      and variant_id is not distinct from ${variantId}::text and notified_at is null`;
  // What pages have written down, anybody may have: the store's own requests are not refused for it.
  const waiting = sql`
    select from catalog_subscription
    where store_id = ${storeId} and profile_id = ${profileId} and notified_at is null
      ${isFromClient ? sql`` : sql`and not from_client`}
    limit ${MAX_WAITING}`;
  const id = newId();
  const { rows } = await sql<SubscriptionRow>`
    insert into catalog_subscription as s (
      store_id, id, item_id, variant_id, kind, profile_id, below, currency, from_client, created_at)
    select ${storeId}::uuid, ${id}::uuid, ${itemId}::text, ${variantId}::text, ${kind}::text, ${profileId}::uuid,
      ${below && String(below.price)}::numeric, ${below?.currency ?? null}::text, ${isFromClient}::boolean, now()
    where exists (${known}) or (select count(*) from (${waiting}) as w) < ${MAX_WAITING}::int
    on conflict (store_id, item_id, kind, profile_id, variant_id) do update set
      id = case when s.notified_at is null then s.id else excluded.id end,
      created_at = case when s.notified_at is null then s.created_at else excluded.created_at end,
      from_client = excluded.from_client and (s.from_client or s.notified_at is not null),
      below = excluded.below, currency = excluded.currency, notified_at = null
    where s.notified_at is not null or not excluded.from_client
    returning ${SUBSCRIPTION_COLUMNS}`.execute(tx);
  const [row] = rows;
  if (row) return { subscription: subscriptionFromRow(row), isNew: row.id === id };
  if (isFromClient) return undefined;
  throw invalid({ path: ['profile'], problem: `waits for ${MAX_WAITING} items already` });
}

/** Nobody erases or merges the customer before the transaction ends. Returns whether there is one still. */
async function holdProfile(tx: Sql, storeId: string, profileId: string): Promise<boolean> {
  const { rows } = await sql`
    select from profile where store_id = ${storeId} and id = ${profileId} for key share`.execute(tx);
  return rows.length > 0;
}

interface Found {
  itemId: string;
  variantId: string | null;
}

async function findAwaited(
  tx: Sql,
  storeId: string,
  { awaited, isFromClient }: Pick<Subscribing, 'awaited' | 'isFromClient'>,
): Promise<Found | undefined> {
  const shown = isFromClient ? sql`and i.status = 'published'` : sql``;
  const item = (id: string) => sql`
    select i.id as "itemId", null as "variantId" from catalog_item i
    where i.store_id = ${storeId} and i.id = ${id} ${shown}`;
  const variant = (id: string) => sql`
    select v.item_id as "itemId", v.id as "variantId"
    from catalog_variant v
    join catalog_item i on i.store_id = ${storeId} and i.id = v.item_id
    where v.store_id = ${storeId} and v.id = ${id} ${shown}`;
  const find = async (query: RawBuilder<unknown>) => (await sql<Found>`${query}`.execute(tx)).rows[0];
  if ('itemId' in awaited) return await find(item(awaited.itemId));
  if ('variantId' in awaited) return await find(variant(awaited.variantId));
  return (await find(variant(awaited.named))) ?? (await find(item(awaited.named)));
}

function notThere(awaited: Awaited): Violation {
  return 'itemId' in awaited
    ? { path: ['item_id'], problem: 'is not the id of an item' }
    : { path: ['variant_id'], problem: 'is not the id of a variant' };
}
