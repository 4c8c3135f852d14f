import { sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { OrderNote } from '../../orders/order-text.ts';
import type { AttributionRule } from '../../senders/message-settings.ts';
import { durationMs } from '../../time/duration.ts';

interface Recorded {
  /** The event. */
  id: string;
  profileId: string;
  /** In milliseconds. */
  at: number;
}

export interface PlacedOrder extends OrderNote, Recorded {}

export interface Refund extends OrderNote, Recorded {
  isWhole: boolean;
}

interface Given extends OrderNote, Recorded {}

/** Columns of some orders or refunds, as rows `g`. */
function given(all: readonly Given[]): ReturnType<typeof sql> {
  return sql`unnest(
      ${uuids(all.map(({ id }) => id))}::uuid[], ${uuids(all.map(({ profileId }) => profileId))}::uuid[],
      ${timestamps(all.map(({ at }) => new Date(at)))}::timestamptz[],
      ${texts(all.map(({ orderId }) => orderId))}::text[], ${texts(all.map(({ currency }) => currency))}::text[],
      ${texts(all.map(({ amount }) => amount))}::text[]
    ) as g (event_id, profile_id, ordered_at, order_id, currency, amount)`;
}

const windowsOf = ({ clickWindow, openWindow }: AttributionRule) =>
  sql`${durationMs(clickWindow)}::bigint, ${openWindow === null ? null : durationMs(openWindow)}::bigint`;

/** The first ones of each order: what is recorded by a plugin and by the shop itself is one order. */
function firstOfEach<One extends Given>(all: readonly One[]): One[] {
  const known = new Set<string>();
  return all.filter(({ orderId }) => orderId === null || (!known.has(orderId) && known.add(orderId)));
}

/**
 * Writes orders down that are not known, with the windows that hold. What was refunded before is kept, if it was in the same
 * currency. Returns their events.
 */
export async function writeOrders(
  tx: Sql,
  storeId: string,
  orders: readonly PlacedOrder[],
  rule: AttributionRule,
): Promise<string[]> {
  if (orders.length === 0) return [];
  const { rows } = await sql<{ eventId: string }>`
    insert into attribution as a (store_id, event_id, profile_id, ordered_at, order_id, currency, value, click_window_ms,
      open_window_ms, is_placed)
    select ${storeId}::uuid, event_id, profile_id, ordered_at, order_id, currency, round(amount::numeric, 6),
      ${windowsOf(rule)}, true
    from ${given(firstOfEach(orders))}
    left join lateral (
      select true as is_known from attribution
      where store_id = ${storeId} and ${exactly('event_id', 'g.event_id')} order by event_id limit 1
    ) k on true
    where k.is_known is null
    on conflict (store_id, order_id) where order_id is not null do update
    set event_id = excluded.event_id, profile_id = excluded.profile_id, ordered_at = excluded.ordered_at,
      currency = excluded.currency, value = excluded.value, click_window_ms = excluded.click_window_ms,
      open_window_ms = excluded.open_window_ms, is_placed = true,
      refunded = case when a.currency <> excluded.currency then 0 else a.refunded end
    where not a.is_placed
    returning event_id as "eventId"`.execute(tx);
  return rows.map(({ eventId }) => eventId);
}

/**
 * Adds refunds to what was refunded of their orders; one that names another currency than its order is left out. Of an order
 * that is not known yet it is kept until it is.
 */
export async function writeRefunds(
  tx: Sql,
  storeId: string,
  all: readonly Refund[],
  rule: AttributionRule,
): Promise<void> {
  const refunds = all.filter(({ orderId, amount, isWhole }) => orderId !== null && (amount !== null || isWhole));
  if (refunds.length === 0) return;
  await sql`
    insert into attribution (store_id, event_id, profile_id, ordered_at, order_id, currency, click_window_ms,
      open_window_ms, is_placed)
    select ${storeId}::uuid, event_id, profile_id, ordered_at, order_id, currency, ${windowsOf(rule)}, false
    from ${given(firstOfEach(refunds))}
    on conflict (store_id, order_id) where order_id is not null do nothing`.execute(tx);
  await sql`
    update attribution a
    set refunded = a.refunded + r.amount, is_refunded_whole = a.is_refunded_whole or r.is_whole
    from (
      select o.place, coalesce(sum(round(g.amount::numeric, 6)), 0) as amount, bool_or(w.is_whole = 1) as is_whole
      from ${given(refunds)}
      join unnest(
        ${uuids(refunds.map(({ id }) => id))}::uuid[], ${integers(refunds.map(({ isWhole }) => (isWhole ? 1 : 0)))}::int[]
      ) as w (event_id, is_whole) on w.event_id = g.event_id
      cross join lateral (
        select currency, ctid as place from attribution
        where store_id = ${storeId} and ${exactly('order_id', 'g.order_id')} and order_id is not null
        order by order_id limit 1
      ) o
      where g.currency is null or o.currency is null or g.currency = o.currency
      group by o.place
    ) r
    where a.store_id = ${storeId} and a.ctid = r.place`.execute(tx);
}
