import { sql } from 'kysely';

/** Quarters of an hour with orders in the 28 days up to the last of them, without which nothing is known to be unusual. */
const MIN_QUARTERS = 20;

/**
 * Finds that a store has had no orders for unusually long: for longer than between any two of the 28 days up to the last, and a
 * quarter of that, or at least an hour, longer. A night or a weekend is no longer than those before it.
 */
export const NO_ORDERS = (storeId: string) => sql`
  select 'no_orders', null::uuid, max(start) + interval '15 minutes', 1
  from (
    select start, start - lag(start) over (order by start) as pause
    from order_quarter
    where store_id = ${storeId} and orders > 0 and start <= now() and start > (
      select start from order_quarter where store_id = ${storeId} and orders > 0 and start <= now() order by start desc limit 1
    ) - interval '28 days'
  ) q
  having count(distinct start) >= ${MIN_QUARTERS}
    and now() - max(start) > max(pause) + greatest(max(pause) / 4, interval '1 hour')`;
