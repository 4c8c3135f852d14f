import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { currencyOf, isInPart, ofLargestPart, type Part, TOO_LONG } from '../orders/customers-of-orders.ts';
import { inReport } from '../reading/in-report.ts';
import { overloaded } from '../service-error.ts';

/** Customers with orders without whom quintiles say nothing. */
const MIN_CUSTOMERS = 20;
/** Days of a window of a condition. */
const MAX_DAYS = 3_650;

/** Where quintiles of a store's customers lie. */
export interface Thresholds {
  /** Days since the last order within which 40, 60 and 80 % have ordered; each more than the one before. */
  recentDays: number;
  middleDays: number;
  lateDays: number;
  /** Orders that 40 % and 20 % have or exceed, at least two. */
  someOrders: number;
  manyOrders: number;
  /** What 20 % exceed with all their orders, a decimal number as text. */
  highAmount: string;
}

export interface CustomersInFifths {
  /** Customers with orders of the currency of most of them, about where only some are looked at. */
  customers: number;
  isSampled: boolean;
  currency: string | null;
  /** Null where there are too few of them. */
  thresholds: Thresholds | null;
}

/**
 * Finds where the quintiles of what customers ordered lie. `currency`: that of the store, of orders that name none. Throws
 * `upstream_error` if that takes too long.
 */
export async function readThresholds(
  db: Sql,
  storeId: string,
  { currency, maxCustomers }: { currency: string | null; maxCustomers?: number },
): Promise<CustomersInFifths> {
  const started = performance.now();
  return await inReport(db, TOO_LONG, async (tx) => {
    const { rows } = await sql<{ customers: number }>`
      select coalesce(sum(first_orders), 0)::float8 as customers from order_quarter where store_id = ${storeId}`.execute(
      tx,
    );
    const bounds = { size: rows[0]?.customers ?? 0, started, most: maxCustomers };
    return await ofLargestPart(tx, bounds, (part) => readFifths(tx, storeId, part, currency));
  });
}

async function readFifths(tx: Sql, storeId: string, part: Part, ofStore: string | null): Promise<CustomersInFifths> {
  const isSampled = part > 1;
  const { rows } = await sql<{
    currency: string;
    customers: number;
    days: number[];
    orders: number[];
    amounts: string[];
  }>`
    select currency, count(*)::float8 as customers,
      percentile_disc(array[0.4, 0.6, 0.8]) within group (
        order by ceil(extract(epoch from now() - last_at) / 86400)::float8) as days,
      percentile_disc(array[0.6, 0.8]) within group (order by orders) as orders,
      array(select trim_scale(a)::text from unnest(
        percentile_disc(array[0.8]) within group (order by amount)) a) as amounts
    from (
      select profile_id, ${currencyOf(ofStore)} as currency, sum(orders)::int as orders, sum(amount) as amount,
        max(last_at) as last_at
      from customer_value
      where store_id = ${storeId} and orders > 0 and ${isInPart(part)}
      group by 1, 2
    ) theirs
    group by currency order by customers desc, currency limit 1`.execute(tx);
  const [row] = rows;
  // Of so small a part nothing can be said.
  if (isSampled && (row?.customers ?? 0) < MIN_CUSTOMERS) throw overloaded(TOO_LONG);
  if (!row) return { customers: 0, isSampled, currency: null, thresholds: null };
  const { currency, customers, days, orders, amounts } = row;
  return {
    customers: customers * part,
    isSampled,
    currency: currency || null,
    thresholds: customers < MIN_CUSTOMERS ? null : toThresholds(days, orders, amounts[0] ?? '0'),
  };
}

function toThresholds(days: readonly number[], orders: readonly number[], highAmount: string): Thresholds {
  const [recent = 0, middle = 0, late = 0] = days;
  const within = (wanted: number, after: number, left: number) =>
    Math.min(Math.max(wanted, after + 1), MAX_DAYS - left);
  const recentDays = within(recent, 0, 2);
  const middleDays = within(middle, recentDays, 1);
  const lateDays = within(late, middleDays, 0);
  const [some = 0, many = 0] = orders;
  const someOrders = Math.max(some, 2);
  return { recentDays, middleDays, lateDays, someOrders, manyOrders: Math.max(many, someOrders), highAmount };
}
