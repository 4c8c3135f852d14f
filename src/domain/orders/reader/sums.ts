import { type RawBuilder, sql } from 'kysely';
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
  const changes = rowsOf(orders, (i) => (i < less.length ? -1 : 1));
  await sql`with changes as materialized (${changes}) ${change(storeId)}`.execute(tx);
}

/** Inserts orders by a statement, and takes others out of the sums that have been deleted, in one go. */
export async function placeOrders(
  tx: Sql,
  storeId: string,
  insert: RawBuilder<unknown>,
  less: readonly SummedOrder[],
): Promise<void> {
  const deleted = less.length === 0 ? sql`` : sql`union all ${rowsOf(less, () => -1)}`;
  await sql`
    with placed as (
      ${insert} returning *
    ), changes as materialized (
      select 1 as n, profile_id, placed_at, coalesce(currency, '') as currency, coalesce(amount, 0) as amount, refunded,
        cancelled_at is not null as is_cancelled
      from placed
      ${deleted}
    ) ${change(storeId)}`.execute(tx);
}

function rowsOf(orders: readonly SummedOrder[], signOf: (i: number) => number): RawBuilder<unknown> {
  return sql`
    select n, profile_id, placed_at, coalesce(currency, '') as currency, coalesce(amount::numeric, 0) as amount,
      refunded::numeric as refunded, cancelled = 1 as is_cancelled
    from unnest(
      ${integers(orders.map((_, i) => signOf(i)))}::int[], ${uuids(orders.map(({ profileId }) => profileId))}::uuid[],
      ${timestamps(orders.map(({ at }) => new Date(at)))}::timestamptz[],
      ${texts(orders.map(({ currency }) => currency))}::text[], ${texts(orders.map(({ amount }) => amount))}::text[],
      ${texts(orders.map(({ refunded }) => refunded))}::text[],
      ${integers(orders.map(({ isCancelled }) => (isCancelled ? 1 : 0)))}::int[]
    ) as c (n, profile_id, placed_at, currency, amount, refunded, cancelled)`;
}

/**
 * Adds `changes` to the sums: `n` is 1 or -1. What customers had is read once, and put beside what changes in one pass: a planner
 * that takes these for few would compare each with all. As the sums are locked, what is not among those read is new.
 */
const change = (storeId: string) => sql`
  , customers as materialized (
    select profile_id, currency, sum(n)::int as orders, sum(n * amount) as amount, sum(n * refunded) as refunded,
      min(placed_at) filter (where n > 0) as first_at, max(placed_at) filter (where n > 0) as last_at,
      min(placed_at) filter (where n < 0) as less_first_at, max(placed_at) filter (where n < 0) as less_last_at
    from changes where not is_cancelled and profile_id <> ${NOBODY}::uuid
    group by 1, 2
  ), merged as (
    select profile_id, currency, max(place) as place, bool_or(place is null) as is_changed, sum(orders) as orders,
      sum(amount) as amount, sum(refunded) as refunded, max(was_first_at) as was_first_at, max(was_last_at) as was_last_at,
      max(first_at) as first_at, max(last_at) as last_at, max(less_first_at) as less_first_at,
      max(less_last_at) as less_last_at
    from (
      select v.profile_id, v.currency, v.place, v.orders, v.amount, v.refunded, v.first_at as was_first_at,
        v.last_at as was_last_at, null::timestamptz as first_at, null::timestamptz as last_at,
        null::timestamptz as less_first_at, null::timestamptz as less_last_at
      from (select distinct profile_id from customers) c
      cross join lateral (
        select *, ctid as place from customer_value where store_id = ${storeId} and profile_id = c.profile_id offset 0
      ) v
      union all
      select profile_id, currency, null, orders, amount, refunded, null, null, first_at, last_at, less_first_at, less_last_at
      from customers
    ) one
    group by 1, 2
  ), become as materialized (
    select profile_id, currency, place, is_changed, orders, amount, refunded, was_first_at,
      case
        when less_first_at is null or less_first_at > was_first_at or first_at <= was_first_at
          then least(was_first_at, first_at)
        when orders > 0 then least(first_at, (${edge(storeId, '')}))
      end as first_at,
      case
        when less_last_at is null or less_last_at < was_last_at or last_at >= was_last_at
          then greatest(was_last_at, last_at)
        when orders > 0 then greatest(last_at, (${edge(storeId, 'desc')}))
      end as last_at
    from merged c
  ), added as (
    insert into customer_value (store_id, profile_id, currency, orders, amount, refunded, first_at, last_at)
    select ${storeId}::uuid, profile_id, currency, orders, amount, refunded, first_at, last_at
    from become where place is null and orders > 0 order by profile_id, currency
  ), updated as (
    insert into customer_value (store_id, profile_id, currency, orders, amount, refunded, first_at, last_at)
    select ${storeId}::uuid, profile_id, currency, orders, amount, refunded, first_at, last_at
    from become where is_changed and place is not null and orders > 0 order by profile_id, currency
    on conflict (store_id, profile_id, currency) do update
    set orders = excluded.orders, amount = excluded.amount, refunded = excluded.refunded,
      first_at = excluded.first_at, last_at = excluded.last_at
  ), gone as (
    delete from customer_value
    where store_id = ${storeId}
      and profile_id = any(array(select profile_id from become where orders <= 0 and place is not null))
      and ctid = any(array(select place from become where orders <= 0 and place is not null))
  ), firsts as (
    select min(was_first_at) as was_at, (array_agg(currency order by was_first_at, currency))[1] as was_in,
      min(first_at) filter (where orders > 0) as now_at,
      (array_agg(currency order by first_at, currency) filter (where orders > 0))[1] as now_in
    from become group by profile_id
  ), moved as (
    select * from firsts where (was_at, was_in) is distinct from (now_at, now_in)
  ), quarters as (
    select date_bin('15 minutes', placed_at, 'epoch') as start, currency,
      sum(n) filter (where not is_cancelled) as orders, sum(n * amount) filter (where not is_cancelled) as amount,
      sum(n * refunded) filter (where not is_cancelled) as refunded, sum(n) filter (where is_cancelled) as cancelled,
      0 as first_orders
    from changes group by 1, 2
    union all
    select date_bin('15 minutes', was_at, 'epoch'), was_in, 0, 0, 0, 0, -1 from moved where was_at is not null
    union all
    select date_bin('15 minutes', now_at, 'epoch'), now_in, 0, 0, 0, 0, 1 from moved where now_at is not null
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
    first_orders = q.first_orders + excluded.first_orders`;

/**
 * When a customer `c` placed the first order in a currency, or the last one, of those that were there before: to be asked only where
 * that one is gone, as it may read all that the customer ordered in other currencies. The currency is compared as it is: a
 * planner takes what is made of a column for rare, and sorts all orders of the customer.
 */
const edge = (storeId: string, direction: '' | 'desc') => sql`
  select placed_at from store_order o
  where store_id = ${storeId} and ${exactly('o.profile_id', 'c.profile_id')} and cancelled_at is null
    and (o.currency = c.currency or o.currency is null and c.currency = '')
  order by profile_id ${sql.raw(direction)}, placed_at ${sql.raw(direction)} limit 1`;
