import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { invalid, type Violation } from '../../service-error.ts';
import { SUBSCRIPTION_COLUMNS, type Subscription, type SubscriptionRow, subscriptionFromRow } from './subscriptions.ts';

/** Items for which a customer waits at a time. */
export const MAX_WAITING = 100;

/** What a customer waits for: an item, or one of its variants. */
export type Awaited = { itemId: string } | { variantId: string };

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
 * Has a customer wait for an item, in the caller's transaction. What a page says does not change what the store has written down, nor
 * adds to what a customer waits for at most: then it returns undefined. Throws `validation_error` for an item that the catalog does not
 * have, or a page does not show, and for a customer who waits for too many.
 */
export async function subscribe(tx: Sql, storeId: string, subscribing: Subscribing): Promise<Subscribed | undefined> {
  const { profileId, kind, below, isFromClient } = subscribing;
  const { itemId, variantId } = await findAwaited(tx, storeId, subscribing);
  const known = sql`
    select from catalog_subscription
    where store_id = ${storeId} and item_id = ${itemId} and kind = ${kind} and profile_id = ${profileId}
      and variant_id is not distinct from ${variantId}::text and notified_at is null`;
  const waiting = sql`
    select from catalog_subscription
    where store_id = ${storeId} and profile_id = ${profileId} and notified_at is null
    limit ${MAX_WAITING}`;
  const id = newId();
  const { rows } = await sql<SubscriptionRow>`
    insert into catalog_subscription as s (
      store_id, id, item_id, variant_id, kind, profile_id, below, currency, from_client, created_at)
    select ${storeId}::uuid, ${id}::uuid, ${itemId}::text, ${variantId}::text, ${kind}::text, ${profileId}::uuid,
      ${below && String(below.price)}::numeric, ${below?.currency ?? null}::text, ${isFromClient}::boolean, now()
    where exists (${known}) or (select count(*) from (${waiting}) as w) < ${MAX_WAITING}::int
    on conflict on constraint catalog_subscription_key do update set
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

async function findAwaited(
  tx: Sql,
  storeId: string,
  { awaited, isFromClient }: Pick<Subscribing, 'awaited' | 'isFromClient'>,
): Promise<{ itemId: string; variantId: string | null }> {
  const shown = isFromClient ? sql`and i.status = 'published'` : sql``;
  const { rows } = await ('itemId' in awaited
    ? sql<{ itemId: string; variantId: string | null }>`
        select i.id as "itemId", null as "variantId" from catalog_item i
        where i.store_id = ${storeId} and i.id = ${awaited.itemId} ${shown}`
    : sql<{ itemId: string; variantId: string | null }>`
        select v.item_id as "itemId", v.id as "variantId"
        from catalog_variant v
        join catalog_item i on i.store_id = ${storeId} and i.id = v.item_id
        where v.store_id = ${storeId} and v.id = ${awaited.variantId} ${shown}`
  ).execute(tx);
  const [found] = rows;
  if (found) return found;
  throw invalid(notThere(awaited));
}

function notThere(awaited: Awaited): Violation {
  return 'itemId' in awaited
    ? { path: ['item_id'], problem: 'is not the id of an item' }
    : { path: ['variant_id'], problem: 'is not the id of a variant' };
}
