import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { OrderNoteRecord } from '../../../db/entities/order-note.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { NOBODY } from '../../../ids/nobody.ts';
import { placeOrders, SUMMED, type SummedOrder } from './sums.ts';

/** Events of an order that are looked at, the earliest of each kind. Once so many are noted, no more are. */
export const MAX_OF_KIND = 1_000;

/**
 * Makes orders anew of all that is noted of them, and sums of these: whatever became known in which order, the same comes of it.
 * What they were is taken out of the sums, and what they are is added. The caller has locked them by `lockOrders`.
 */
export async function refreshOrders(tx: Sql, storeId: string, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return;
  const ids = texts([...new Set(orderIds)].sort());
  const { rows: former } = await sql<SummedOrder>`
    delete from store_order where store_id = ${storeId} and ctid = any(array(${PLACES(storeId, ids)}))
    returning ${SUMMED}`.execute(tx);
  const insert = sql`
    insert into store_order (store_id, order_id, event_id, profile_id, placed_at, currency, amount, refunded, cancelled_at,
      event_count, is_noted)
    select ${storeId}::uuid, w.order_id, o.event_id, o.profile_id, o.placed_at, o.currency, o.amount, r.refunded,
      c.noted_at, o.event_count, true
    from unnest(${ids}::text[]) as w (order_id)
    cross join lateral (
      ${ORDER(notesOf(storeId, 'placed'))}
    ) o
    cross join lateral (
      ${REFUNDED(notesOf(storeId, 'refunded'))}
    ) r
    left join lateral ${notesOf(storeId, 'cancelled', 1)} c on true
    where o.event_id is not null`;
  await placeOrders(tx, storeId, insert, former);
}

/** Where orders lie, each looked up by itself. */
export const PLACES = (storeId: string, ids: Buffer) => sql`
  select o.place from unnest(${ids}::text[]) as w (order_id)
  cross join lateral (
    select ctid as place from store_order
    where store_id = ${storeId} and ${exactly('order_id', 'w.order_id')} order by order_id limit 1
  ) o`;

const notesOf = (storeId: string, kind: OrderNoteRecord['kind'], limit = MAX_OF_KIND) => sql`(
  select * from order_note
  where store_id = ${storeId} and ${exactly('order_id', 'w.order_id')} and kind = ${sql.lit(kind)}
  order by order_id, kind, noted_at, event_id limit ${sql.lit(limit)}
)`;

const first = (column: string, condition: RawBuilder<unknown> = sql`true`) =>
  sql`(array_agg(n.${sql.ref(column)} order by n.noted_at, n.event_id) filter (where ${condition}))[1]`;
const PRICED = sql`n.amount is not null`;

/** The first event that placed it, of somebody; with the amount, and the currency of that, of the first that says one. */
const ORDER = (notes: RawBuilder<unknown>) => sql`
  select ${first('event_id')} as event_id, min(n.noted_at) as placed_at,
    coalesce(${first('profile_id', sql`n.profile_id <> ${NOBODY}::uuid`)}, ${first('profile_id')}) as profile_id,
    ${first('amount', PRICED)} as amount,
    coalesce(${first('currency', PRICED)}, ${first('currency', sql`n.currency is not null`)}) as currency,
    count(*)::int as event_count
  from ${notes} n`;

/** Refunds in another currency than that of the order are none of it; it is refunded to its amount at most. */
const REFUNDED = (notes: RawBuilder<unknown>) => sql`
  select case when bool_or(n.amount is null) then coalesce(o.amount, 0)
    else least(coalesce(sum(n.amount), 0), coalesce(o.amount, 0)) end as refunded
  from ${notes} n
  where n.currency is null or o.currency is null or n.currency = o.currency`;
