import { sql } from 'kysely';
import { byProfile, nameOf, plain, type Section, times } from '../section.ts';

export const COUPONS: Section = {
  name: 'coupons',
  columns: {
    ...plain('id', 'pool_id'),
    pool_name: nameOf('coupon_pool', 'pool_id'),
    ...plain('code', 'status', 'run_id', 'order_id'),
    ...times('assigned_at', 'used_at'),
  },
  key: { id: 'uuid' },
  rows: byProfile('coupon_code'),
};

export const ITEM_ACTIVITY: Section = {
  name: 'item_activity',
  columns: {
    ...plain('kind', 'item_id'),
    item_title: sql`to_json((
      select i.title from catalog_item i where i.store_id = r.store_id and i.id = r.item_id))`,
    ...plain('times'),
    ...times('first_at', 'last_at'),
  },
  key: { kind: 'text', item_id: 'text' },
  rows: byProfile('item_activity'),
};

export const ITEM_SUBSCRIPTIONS: Section = {
  name: 'item_subscriptions',
  columns: {
    ...plain('id', 'kind', 'item_id', 'variant_id', 'below', 'currency', 'from_client'),
    ...times('created_at', 'notified_at'),
  },
  key: { id: 'uuid' },
  rows: byProfile('catalog_subscription'),
};

export const ATTRIBUTED_ORDERS: Section = {
  name: 'attributed_orders',
  columns: {
    ...plain('event_id', 'order_id'),
    ...times('ordered_at'),
    ...plain('currency', 'value', 'refunded', 'is_refunded_whole'),
    ...plain('message_id', 'source', 'source_id', 'touch'),
    ...times('touched_at'),
  },
  key: { ordered_at: 'timestamptz', event_id: 'uuid' },
  rows: byProfile('attribution'),
};

export const ORDERS: Section = {
  name: 'orders',
  columns: {
    ...plain('order_id', 'event_id'),
    ...times('placed_at'),
    ...plain('currency', 'amount', 'refunded'),
    ...times('cancelled_at'),
  },
  key: { placed_at: 'timestamptz', event_id: 'uuid' },
  rows: byProfile('store_order'),
};
