import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { isId } from '../../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../../reading/cursor.ts';

/** That a customer waits for an item. */
export interface Subscription {
  id: string;
  profileId: string;
  itemId: string;
  /** Null for any of them. */
  variantId: string | null;
  kind: 'back_in_stock' | 'price_drop';
  /** What it has to cost less than, and in what; null for whatever is less than before. */
  below: number | null;
  currency: string | null;
  isFromClient: boolean;
  createdAt: Date;
  /** When a run of an automation started for it. */
  notifiedAt: Date | null;
}

export type SubscriptionRow = Omit<Subscription, 'createdAt' | 'notifiedAt'> & {
  created: number;
  notified: number | null;
};

/** Columns to select from `catalog_subscription s` for a `SubscriptionRow`. */
export const SUBSCRIPTION_COLUMNS = sql`
  s.id, s.profile_id as "profileId", s.item_id as "itemId", s.variant_id as "variantId", s.kind,
  s.below::float8 as below, s.currency, s.from_client as "isFromClient",
  (extract(epoch from s.created_at) * 1000)::float8 as created,
  (extract(epoch from s.notified_at) * 1000)::float8 as notified`;

export function subscriptionFromRow({ created, notified, ...row }: SubscriptionRow): Subscription {
  return { ...row, createdAt: new Date(created), notifiedAt: notified === null ? null : new Date(notified) };
}

export interface SubscriptionFilter {
  itemId?: string | undefined;
  profileId?: string | undefined;
  isWaiting?: boolean | undefined;
}

/** Returns subscriptions of a store, the newest first. */
export async function listSubscriptions(
  db: Sql,
  storeId: string,
  { itemId, profileId, isWaiting }: SubscriptionFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<Subscription>> {
  const before = readBefore(cursor);
  if (profileId !== undefined && !isId(profileId)) return { items: [], next: null };
  // An order by all of an index has it read, whatever the statistics say.
  const order =
    profileId !== undefined
      ? sql`s.profile_id desc, s.id desc`
      : itemId !== undefined
        ? sql`s.item_id desc, s.id desc`
        : sql`s.id desc`;
  const { rows } = await sql<SubscriptionRow & { candidates?: never }>`
    select ${SUBSCRIPTION_COLUMNS}
    from catalog_subscription s
    where s.store_id = ${storeId} and s.id < ${before}
      ${itemId === undefined ? sql`` : sql`and s.item_id = ${itemId}`}
      ${profileId === undefined ? sql`` : sql`and s.profile_id = ${profileId}`}
      ${isWaiting === undefined ? sql`` : isWaiting ? sql`and s.notified_at is null` : sql`and s.notified_at is not null`}
    order by ${order}
    limit ${limit + 1}`.execute(db);
  return toPage(rows, limit, subscriptionFromRow, idCursor);
}

/** Deletes a subscription, and returns what it was; undefined if the store has none with the id. */
export async function deleteSubscription(db: Sql, storeId: string, id: string): Promise<Subscription | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    delete from catalog_subscription s where s.store_id = ${storeId} and s.id = ${id}
    returning ${SUBSCRIPTION_COLUMNS}`.execute(db);
  return rows[0] && subscriptionFromRow(rows[0]);
}
