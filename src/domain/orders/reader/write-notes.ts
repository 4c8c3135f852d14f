import { type RawBuilder, sql } from 'kysely';
import { texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { type OrderNote, readOrder, readRefund } from '../order-text.ts';
import type { EventNote } from '../read-notes.ts';
import type { OrderRule } from '../rule.ts';
import { changeSums, SUMMED, type SummedOrder } from './sums.ts';

interface Note extends OrderNote, Pick<EventNote, 'id' | 'profileId' | 'at'> {
  kind: 'placed' | 'refunded' | 'cancelled';
  orderId: string;
}

/** Events of an order that are looked at, the earliest. */
const MAX_OF_ORDER = 1_000;

/** Writes down what events say of orders, each once however often it is read, and what becomes of these orders by it. */
export async function writeNotes(
  tx: Sql,
  storeId: string,
  events: readonly EventNote[],
  rule: OrderRule,
): Promise<void> {
  const notes = events.flatMap((event) => toNote(event, rule) ?? []);
  if (notes.length === 0) return;
  const { rows } = await sql<{ orderId: string }>`
    insert into order_note (store_id, event_id, profile_id, noted_at, order_id, kind, currency, amount)
    select ${storeId}::uuid, event_id, profile_id, noted_at, order_id, kind, currency, round(amount::numeric, 6)
    from unnest(
      ${uuids(notes.map(({ id }) => id))}::uuid[], ${uuids(notes.map(({ profileId }) => profileId))}::uuid[],
      ${timestamps(notes.map(({ at }) => new Date(at)))}::timestamptz[],
      ${texts(notes.map(({ orderId }) => orderId))}::text[], ${texts(notes.map(({ kind }) => kind))}::text[],
      ${texts(notes.map(({ currency }) => currency))}::text[], ${texts(notes.map(({ amount }) => amount))}::text[]
    ) as g (event_id, profile_id, noted_at, order_id, kind, currency, amount)
    on conflict (store_id, event_id) do nothing
    returning order_id as "orderId"`.execute(tx);
  await refreshOrders(
    tx,
    storeId,
    rows.map(({ orderId }) => orderId),
  );
}

/** Undefined for what is of no order: a refund or a cancellation that does not say of which, a refund whose amount can't be read. */
function toNote(event: EventNote, rule: OrderRule): Note | undefined {
  const { id, profileId, at, type } = event;
  const told = { id, profileId, at };
  if (rule.placedTypes.includes(type)) {
    const order = readOrder(event);
    return { ...told, ...order, kind: 'placed', orderId: order.orderId ?? id };
  }
  const { isWhole, orderId, ...refund } = readRefund(event);
  if (orderId === null) return undefined;
  if (rule.cancelledTypes.includes(type)) return { ...told, ...refund, kind: 'cancelled', orderId };
  if (refund.amount === null && !isWhole) return undefined;
  return { ...told, ...refund, kind: 'refunded', orderId };
}

/**
 * Makes orders anew of all that is noted of them, and sums of these: whatever became known in which order, the same comes of it.
 * What they were is taken out of the sums, and what they are is added. The caller has locked them by `lockOrders`.
 */
export async function refreshOrders(tx: Sql, storeId: string, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return;
  const ids = texts([...new Set(orderIds)].sort());
  const { rows: former } = await sql<SummedOrder>`
    delete from store_order where store_id = ${storeId} and order_id = any(${ids}::text[]) returning ${SUMMED}`.execute(
    tx,
  );
  const { rows: placed } = await sql<SummedOrder>`
    insert into store_order (store_id, order_id, event_id, profile_id, placed_at, currency, amount, refunded, cancelled_at,
      event_count)
    select ${storeId}::uuid, w.order_id, o.event_id, o.profile_id, o.placed_at, o.currency, o.amount, r.refunded,
      o.cancelled_at, o.event_count
    from unnest(${ids}::text[]) as w (order_id)
    cross join lateral (
      ${ORDER(notesOf(storeId))}
    ) o
    cross join lateral (
      ${REFUNDED(notesOf(storeId))}
    ) r
    where o.event_id is not null
    returning ${SUMMED}`.execute(tx);
  await changeSums(tx, storeId, { less: former, more: placed });
}

const notesOf = (storeId: string) => sql`(
  select * from order_note
  where store_id = ${storeId} and ${exactly('order_id', 'w.order_id')}
  order by order_id, noted_at, event_id limit ${sql.lit(MAX_OF_ORDER)}
) n`;

const first = (column: string, condition: RawBuilder<unknown>) =>
  sql`(array_agg(n.${sql.ref(column)} order by n.noted_at, n.event_id) filter (where ${condition}))[1]`;
const PLACED = sql`n.kind = 'placed'`;
const PRICED = sql`n.kind = 'placed' and n.amount is not null`;

/** The first event that placed it; with the amount, and the currency of that, of the first that says one. */
const ORDER = (notes: RawBuilder<unknown>) => sql`
  select ${first('event_id', PLACED)} as event_id, ${first('profile_id', PLACED)} as profile_id,
    min(n.noted_at) filter (where ${PLACED}) as placed_at, ${first('amount', PRICED)} as amount,
    coalesce(${first('currency', PRICED)}, ${first('currency', sql`n.kind = 'placed' and n.currency is not null`)})
      as currency,
    min(n.noted_at) filter (where n.kind = 'cancelled') as cancelled_at,
    (count(*) filter (where ${PLACED}))::int as event_count
  from ${notes}`;

/** Refunds in another currency than that of the order are none of it; it is refunded to its amount at most. */
const REFUNDED = (notes: RawBuilder<unknown>) => sql`
  select case when bool_or(n.amount is null) then coalesce(o.amount, 0)
    else least(coalesce(sum(n.amount), 0), coalesce(o.amount, 0)) end as refunded
  from ${notes}
  where n.kind = 'refunded' and (n.currency is null or o.currency is null or n.currency = o.currency)`;
