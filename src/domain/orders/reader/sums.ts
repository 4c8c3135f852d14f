import { sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { NOBODY } from '../../../ids/nobody.ts';

/** What of an order is summed up. */
export interface SummedOrder {
  profileId: string;
  /** In milliseconds. */
  at: number;
  currency: string | null;
  /** Decimal numbers as text. */
  amount: string | null;
  refunded: string;
  isCancelled: boolean;
}

/** The same, of a row of `store_order`. */
export const SUMMED = sql`
  profile_id as "profileId", (extract(epoch from placed_at) * 1000)::float8 as at, currency, amount::text as amount,
  refunded::text as refunded, cancelled_at is not null as "isCancelled"`;

/**
 * Takes orders out of the sums of quarters and customers and adds others, once `store_order` has them. Of what is cancelled nothing
 * is summed up but how many there are, and nobody is no customer. Whoever changes the sums of a store has locked them by
 * `lockOrders`: they are read before they are written.
 */
export async function changeSums(
  tx: Sql,
  storeId: string,
  { less, more }: { less: readonly SummedOrder[]; more: readonly SummedOrder[] },
): Promise<void> {
  const orders = [...less, ...more];
  if (orders.length === 0) return;
  const signs = orders.map((_, i) => (i < less.length ? -1 : 1));
  await sql`
    with changes as materialized (
      select n, profile_id, placed_at, coalesce(currency, '') as currency, coalesce(amount::numeric, 0) as amount,
        refunded::numeric as refunded, cancelled = 1 as is_cancelled
      from unnest(
        ${integers(signs)}::int[], ${uuids(orders.map(({ profileId }) => profileId))}::uuid[],
        ${timestamps(orders.map(({ at }) => new Date(at)))}::timestamptz[],
        ${texts(orders.map(({ currency }) => currency))}::text[], ${texts(orders.map(({ amount }) => amount))}::text[],
        ${texts(orders.map(({ refunded }) => refunded))}::text[],
        ${integers(orders.map(({ isCancelled }) => (isCancelled ? 1 : 0)))}::int[]
      ) as c (n, profile_id, placed_at, currency, amount, refunded, cancelled)
    ), customers as materialized (
      select profile_id, currency, sum(n)::int as orders, sum(n * amount) as amount, sum(n * refunded) as refunded,
        min(placed_at) filter (where n > 0) as first_at, max(placed_at) filter (where n > 0) as last_at,
        min(placed_at) filter (where n < 0) as less_first_at, max(placed_at) filter (where n < 0) as less_last_at
      from changes where not is_cancelled and profile_id <> ${NOBODY}::uuid
      group by 1, 2
    ), become as materialized (
      select v.place, c.profile_id, c.currency, coalesce(v.orders, 0) + c.orders as orders,
        coalesce(v.amount, 0) + c.amount as amount, coalesce(v.refunded, 0) + c.refunded as refunded,
        case
          when c.less_first_at is null or c.less_first_at > v.first_at or c.first_at <= v.first_at
            then least(v.first_at, c.first_at)
          when coalesce(v.orders, 0) + c.orders > 0 then (${edge(storeId, '')})
        end as first_at,
        case
          when c.less_last_at is null or c.less_last_at < v.last_at or c.last_at >= v.last_at
            then greatest(v.last_at, c.last_at)
          when coalesce(v.orders, 0) + c.orders > 0 then (${edge(storeId, 'desc')})
        end as last_at
      from customers c
      left join lateral (
        select *, ctid as place from customer_value
        where store_id = ${storeId} and profile_id = c.profile_id and currency = c.currency limit 1
      ) v on true
    ), written as (
      insert into customer_value (store_id, profile_id, currency, orders, amount, refunded, first_at, last_at)
      select ${storeId}::uuid, profile_id, currency, orders, amount, refunded, first_at, last_at
      from become where orders > 0 order by profile_id, currency
      on conflict (store_id, profile_id, currency) do update
      set orders = excluded.orders, amount = excluded.amount, refunded = excluded.refunded,
        first_at = excluded.first_at, last_at = excluded.last_at
    ), gone as (
      delete from customer_value
      where store_id = ${storeId} and ctid = any(array(select place from become where orders <= 0 and place is not null))
    ), states as (
      -- In one pass: a planner that takes these for few would compare each with all.
      select profile_id, currency, max(was_at) as was_at,
        case when bool_or(is_changed) then max(now_at) else max(was_at) end as now_at
      from (
        select v.profile_id, v.currency, v.first_at as was_at, null::timestamptz as now_at, false as is_changed
        from (select distinct profile_id from customers) c
        cross join lateral (
          select * from customer_value v where v.store_id = ${storeId} and v.profile_id = c.profile_id offset 0
        ) v
        union all
        select profile_id, currency, null, case when orders > 0 then first_at end, true from become
      ) one
      group by 1, 2
    ), firsts as (
      select min(was_at) as was_at, (array_agg(currency order by was_at, currency))[1] as was_in,
        min(now_at) as now_at, (array_agg(currency order by now_at, currency))[1] as now_in
      from states group by profile_id
    ), quarters as (
      select date_bin('15 minutes', placed_at, 'epoch') as start, currency,
        sum(n) filter (where not is_cancelled) as orders, sum(n * amount) filter (where not is_cancelled) as amount,
        sum(n * refunded) filter (where not is_cancelled) as refunded, sum(n) filter (where is_cancelled) as cancelled,
        0 as first_orders
      from changes group by 1, 2
      union all
      select date_bin('15 minutes', was_at, 'epoch'), was_in, 0, 0, 0, 0, -1 from firsts where was_at is not null
      union all
      select date_bin('15 minutes', now_at, 'epoch'), now_in, 0, 0, 0, 0, 1 from firsts where now_at is not null
    ), summed as (
      select start, currency, coalesce(sum(orders), 0) as orders, coalesce(sum(amount), 0) as amount,
        coalesce(sum(refunded), 0) as refunded, coalesce(sum(cancelled), 0) as cancelled,
        sum(first_orders) as first_orders
      from quarters group by 1, 2
    )
    insert into order_quarter as q (store_id, start, currency, orders, amount, refunded, cancelled, first_orders)
    select ${storeId}::uuid, start, currency, orders, amount, refunded, cancelled, first_orders
    from summed
    where orders <> 0 or amount <> 0 or refunded <> 0 or cancelled <> 0 or first_orders <> 0
    order by start, currency
    on conflict (store_id, start, currency) do update
    set orders = q.orders + excluded.orders, amount = q.amount + excluded.amount,
      refunded = q.refunded + excluded.refunded, cancelled = q.cancelled + excluded.cancelled,
      first_orders = q.first_orders + excluded.first_orders`.execute(tx);
}

/**
 * When a customer `c` placed the first order in a currency, or the last one: to be asked only where that one is gone, as it may
 * read all that the customer ordered in other currencies. The currency is compared as it is: a planner takes what is made of a
 * column for rare, and sorts all orders of the customer.
 */
const edge = (storeId: string, direction: '' | 'desc') => sql`
  select placed_at from store_order o
  where store_id = ${storeId} and ${exactly('o.profile_id', 'c.profile_id')} and cancelled_at is null
    and (o.currency = c.currency or o.currency is null and c.currency = '')
  order by profile_id ${sql.raw(direction)}, placed_at ${sql.raw(direction)} limit 1`;
