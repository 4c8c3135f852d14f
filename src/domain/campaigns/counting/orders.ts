/** What the customers of a campaign have ordered since it began: whoever is held out, and the others. */
import { sql } from 'kysely';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { idsOfCampaign } from '../../messages/read.ts';
import { readMessageSettings } from '../../senders/message-settings.ts';
import { durationMs } from '../../time/duration.ts';
import { REFUNDED, VALUE } from '../../tracking/attribution/report.ts';
import type { Campaign } from '../campaign.ts';

/** Orders of whoever is held out, or of the others: of one currency, or all of them. */
export interface OrderCount {
  isHeldOut: boolean;
  /** Of all currencies: those have no amount. */
  isAll: boolean;
  currency: string | null;
  orders: number;
  /** Customers who placed one that was not taken back. */
  customers: number;
  /** Whole numbers of millionths as text: the values less what was refunded, and that. */
  amount: string;
  refunded: string;
  /** The sum of the squares of what each customer brought, in units of the currency; null where the version before has counted. */
  squares: number | null;
}

/** Orders of a customer that are counted, and currencies that are kept. */
const [MOST_OF_CUSTOMER, MOST_CURRENCIES] = [1_000, 50];

/** Until when orders are compared: for as long after the begin as an order may come after a click. Null where nobody is held out. */
export async function endOfHoldOut(db: Sql, storeId: string, { startedAt, holdOut }: Campaign): Promise<Date | null> {
  if (!startedAt || holdOut === 0) return null;
  const { attribution } = await readMessageSettings(db, storeId);
  return new Date(startedAt.getTime() + durationMs(attribution.clickWindow));
}

/** Counts orders of the customers of some messages of a campaign: those after one, up to another. */
export async function countOrdersOf(
  db: Sql,
  storeId: string,
  { id, startedAt, ordersUntil }: { id: string; startedAt: Date; ordersUntil: Date | null },
  [after, last]: readonly [string, string],
  limit: number,
): Promise<OrderCount[]> {
  const [lowest] = idsOfCampaign(startedAt);
  const { rows } = await sql<OrderCount>`
    with found as materialized (
      select id, profile_id, reason is not distinct from 'hold_out' as held from message
      where store_id = ${storeId} and id >= ${lowest} and id > ${after} and id <= ${last} and source_id = ${id}
      order by id limit ${limit}
    ), placed as (
      select f.held, f.id, o.* from found f
      cross join lateral (
        select currency, is_refunded_whole, ${VALUE} as value, ${REFUNDED} as refunded from attribution
        where store_id = ${storeId} and ${exactly('profile_id', 'f.profile_id')} and is_placed
          and ordered_at >= ${startedAt.toISOString()}::timestamptz and ordered_at < ${ordersUntil?.toISOString()}::timestamptz
        order by profile_id, ordered_at limit ${MOST_OF_CUSTOMER}
      ) o
    ), of_customers as (
      select held, id, currency, count(*) as orders, not bool_and(is_refunded_whole) as has_ordered,
        sum(value - refunded) as amount, sum(refunded) as refunded
      from placed
      group by held, id, currency
    )
    select held as "isHeldOut", grouping(currency) = 1 as "isAll", currency, sum(orders)::float8 as orders,
      (count(distinct id) filter (where has_ordered))::float8 as customers,
      round(sum(amount) * 1000000)::text as amount, round(sum(refunded) * 1000000)::text as refunded,
      sum(amount * amount)::float8 as squares
    from of_customers
    group by grouping sets ((held), (held, currency))`.execute(db);
  return addUpOrders(rows);
}

/** Adds up what was counted of different customers, the most orders first. */
export function addUpOrders(all: readonly OrderCount[]): OrderCount[] {
  const sums = new Map<string, OrderCount>();
  for (const one of all) {
    const key = JSON.stringify([one.isHeldOut, one.isAll, one.currency]);
    const { orders = 0, customers = 0, amount = '0', refunded = '0', squares = 0 } = sums.get(key) ?? {};
    const more = one.squares ?? null;
    sums.set(key, {
      ...one,
      orders: orders + one.orders,
      customers: customers + one.customers,
      amount: String(BigInt(amount) + BigInt(one.amount)),
      refunded: String(BigInt(refunded) + BigInt(one.refunded)),
      squares: squares === null || more === null ? null : squares + more,
    });
  }
  const sorted = [...sums.values()].sort((a, b) => b.orders - a.orders);
  const kept = sorted.filter(({ isAll }) => !isAll).slice(0, 2 * MOST_CURRENCIES);
  return [...sorted.filter(({ isAll }) => isAll), ...kept];
}
