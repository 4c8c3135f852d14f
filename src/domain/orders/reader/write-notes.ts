import { type RawBuilder, sql } from 'kysely';
import { texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { type OrderNote, readOrder, readRefund } from '../order-text.ts';
import type { EventNote } from '../read-notes.ts';
import type { OrderRule } from '../rule.ts';
import { MAX_OF_KIND, PLACES, refreshOrders } from './refresh-orders.ts';
import { placeOrders } from './sums.ts';

interface Note extends OrderNote, Pick<EventNote, 'id' | 'profileId' | 'at'> {
  kind: 'placed' | 'refunded' | 'cancelled';
  orderId: string;
}

/**
 * Writes down what events say of orders, each once however often it is read, and what becomes of these orders by it. The caller
 * has locked them by `lockBuild`. Of an order that one event tells of alone nothing is noted: it has all that the event says.
 */
export async function writeNotes(
  tx: Sql,
  storeId: string,
  events: readonly EventNote[],
  rule: OrderRule,
): Promise<void> {
  const notes = events.flatMap((event) => toNote(event, rule) ?? []);
  if (notes.length === 0) return;
  const known = await findKnown(tx, storeId, notes);
  const unread = notes.filter(({ id }) => known.get(id)?.eventId !== id);
  const perOrder = new Map<string, number>();
  for (const { orderId } of unread) perOrder.set(orderId, (perOrder.get(orderId) ?? 0) + 1);
  const isAlone = ({ id, orderId, kind }: Note) => kind === 'placed' && !known.has(id) && perOrder.get(orderId) === 1;
  const [alone, others] = [unread.filter(isAlone), unread.filter((note) => !isAlone(note))];
  await writeOrders(tx, storeId, alone);
  await noteOthers(tx, storeId, others);
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
 * Returns which notes are of an order of which something is known already, or are known themselves, by their event; each with
 * the event of the order that nothing is noted of.
 */
async function findKnown(
  tx: Sql,
  storeId: string,
  notes: readonly Note[],
): Promise<Map<string, { eventId: string | null }>> {
  const { rows } = await sql<{ id: string; eventId: string | null }>`
    select w.event_id as id, case when not o.is_noted then o.event_id end as "eventId"
    from unnest(
      ${uuids(notes.map(({ id }) => id))}::uuid[], ${texts(notes.map(({ orderId }) => orderId))}::text[]
    ) as w (event_id, order_id)
    left join lateral (
      select event_id, is_noted from store_order
      where store_id = ${storeId} and ${exactly('order_id', 'w.order_id')} order by order_id limit 1
    ) o on true
    left join lateral (
      select event_id from order_note
      where store_id = ${storeId} and ${exactly('order_id', 'w.order_id')} order by order_id, kind limit 1
    ) n on o.event_id is null
    left join lateral (
      select event_id from order_note where store_id = ${storeId} and event_id = w.event_id limit 1
    ) e on o.event_id is null and n.event_id is null
    where o.event_id is not null or n.event_id is not null or e.event_id is not null`.execute(tx);
  return new Map(rows.map(({ id, eventId }) => [id, { eventId }]));
}

/** Orders of which nothing else is known. */
async function writeOrders(tx: Sql, storeId: string, notes: readonly Note[]): Promise<void> {
  if (notes.length === 0) return;
  const insert = sql`
    insert into store_order (store_id, order_id, event_id, profile_id, placed_at, currency, amount, refunded, event_count,
      is_noted)
    select ${storeId}::uuid, order_id, event_id, profile_id, noted_at, currency, amount, 0, 1, false
    from ${rowsOf(notes)}
    order by order_id`;
  await placeOrders(tx, storeId, insert, []);
}

/** What is noted of an order begins with the event that it had alone. */
async function noteOthers(tx: Sql, storeId: string, notes: readonly Note[]): Promise<void> {
  if (notes.length === 0) return;
  const ids = texts([...new Set(notes.map(({ orderId }) => orderId))].sort());
  await noteAlone(tx, storeId, PLACES(storeId, ids));
  const { rows } = await sql<{ orderId: string }>`
    insert into order_note (store_id, event_id, profile_id, noted_at, order_id, kind, currency, amount)
    select ${storeId}::uuid, event_id, profile_id, noted_at, order_id, kind, currency, amount from ${rowsOf(notes)}
    where ${MAX_OF_KIND} > (
      select count(*) from (
        select from order_note
        where store_id = ${storeId} and ${exactly('order_id', 'g.order_id')} and kind = g.kind
        order by order_id, kind limit ${MAX_OF_KIND}
      ) n
    )
    on conflict (store_id, event_id) do nothing
    returning order_id as "orderId"`.execute(tx);
  await refreshOrders(
    tx,
    storeId,
    rows.map(({ orderId }) => orderId),
  );
}

/** Notes down the events of orders of which nothing is noted; `places`: a query of where they lie. */
export async function noteAlone(tx: Sql, storeId: string, places: RawBuilder<unknown>): Promise<void> {
  await sql`
    with alone as (
      update store_order set is_noted = true
      where store_id = ${storeId} and ctid = any(array(${places})) and not is_noted
      returning *
    )
    insert into order_note (store_id, event_id, profile_id, noted_at, order_id, kind, currency, amount)
    select ${storeId}::uuid, event_id, profile_id, placed_at, order_id, 'placed', currency, amount
    from alone`.execute(tx);
}

const rowsOf = (notes: readonly Note[]) => sql`(
  select event_id, profile_id, noted_at, order_id, kind, currency, round(amount::numeric, 6) as amount
  from unnest(
    ${uuids(notes.map(({ id }) => id))}::uuid[], ${uuids(notes.map(({ profileId }) => profileId))}::uuid[],
    ${timestamps(notes.map(({ at }) => new Date(at)))}::timestamptz[],
    ${texts(notes.map(({ orderId }) => orderId))}::text[], ${texts(notes.map(({ kind }) => kind))}::text[],
    ${texts(notes.map(({ currency }) => currency))}::text[], ${texts(notes.map(({ amount }) => amount))}::text[]
  ) as g (event_id, profile_id, noted_at, order_id, kind, currency, amount)
) g`;
