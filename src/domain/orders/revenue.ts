import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { inReport } from '../reading/in-report.ts';
import { countCustomers } from './count-customers.ts';
import { intervalsOf, type RevenueRange, rangeBefore } from './ranges.ts';
import { readOrderSettings } from './settings.ts';
import { type Span, spansAs } from './spans.ts';

/** What orders of one currency came to; amounts are decimal numbers as text. */
export interface CurrencyRevenue {
  currency: string | null;
  /** Those that were not cancelled, and those that were. */
  orders: number;
  cancelled: number;
  gross: string;
  refunded: string;
  net: string;
  /** Null if there are no orders. */
  average: string | null;
}

export interface RevenueSums {
  revenue: CurrencyRevenue[];
  /** Customers whose first order is one of these, and all others who placed one. */
  newCustomers: number;
  returningCustomers: number;
}

export interface RevenueReport {
  totals: RevenueSums;
  intervals: { start: string; sums: RevenueSums }[];
  comparison: { from: string; to: string; totals: RevenueSums } | null;
  /** Whether all orders are known. */
  isComplete: boolean;
  /** Whether there are more currencies than are returned. */
  isCut: boolean;
  /** Whether the customers who returned are estimated. */
  isEstimated: boolean;
}

const MAX_CURRENCIES = 20;

/**
 * Sums up the orders of a range by its intervals and as a whole, and those of what it is compared with. `currency`, that of the
 * store, is the one of orders that name none. Throws `upstream_error` if that takes too long.
 */
export async function readRevenue(
  db: Sql,
  storeId: string,
  range: RevenueRange,
  currency: string | null,
): Promise<RevenueReport> {
  return await inReport(db, 'This range takes too long to sum up; ask for a shorter one', async (tx) => {
    const intervals = intervalsOf(range);
    const sums = await sumsOf(tx, storeId, intervals, currency);
    const before = rangeBefore(range);
    const compared = before && (await sumsOf(tx, storeId, [before.span], currency));
    const { isComplete } = await readOrderSettings(tx, storeId);
    return {
      totals: sums.whole,
      intervals: intervals.map(({ start }, i) => ({ start, sums: sums.each[i] as RevenueSums })),
      comparison: before && compared ? { ...before.days, totals: compared.whole } : null,
      isComplete,
      isCut: sums.isCut || compared?.isCut === true,
      isEstimated: sums.isEstimated || compared?.isEstimated === true,
    };
  });
}

interface Row extends CurrencyRevenue {
  /** Which span, from 1; null for all of them. */
  n: number | null;
  newOnes: number;
  /** Of all currencies. */
  isSum: boolean;
  rank: number;
}

/** Returns the sums of spans of time that follow each other, and of all together. */
async function sumsOf(
  tx: Sql,
  storeId: string,
  spans: readonly Span[],
  currency: string | null,
): Promise<{ whole: RevenueSums; each: RevenueSums[]; isCut: boolean; isEstimated: boolean }> {
  const { rows } = await sql<Row>`
    with of_spans as (
      -- Of quarters, of which there are very many, each is added once.
      select s.n, q.currency, q.orders, q.cancelled, q.amount, q.refunded, q.first_orders
      from ${spansAs(spans)}
      cross join lateral (
        select currency, sum(orders) as orders, sum(cancelled) as cancelled, sum(amount) as amount,
          sum(refunded) as refunded, sum(first_orders) as first_orders
        from order_quarter
        where store_id = ${storeId} and start >= s.first and start < s.last and (orders > 0 or cancelled > 0)
        group by currency
      ) q
    ), sums as (
      select n, currency, grouping(currency) = 1 as is_sum, sum(orders) as orders, sum(cancelled) as cancelled,
        sum(amount) as gross, sum(refunded) as refunded, sum(first_orders) as first_orders
      from (
        select n, coalesce(nullif(currency, ''), ${currency}::text, '') as currency, orders, cancelled, amount, refunded,
          first_orders
        from of_spans
      ) one
      group by grouping sets ((n, currency), (currency), (n), ())
    ), ranked as (
      select currency, row_number() over (order by orders desc, currency) as rank from sums where n is null and not is_sum
    )
    select s.n::int as n, nullif(s.currency, '') as currency, s.is_sum as "isSum", coalesce(r.rank, 0)::int as rank,
      s.orders::float8 as orders, s.cancelled::float8 as cancelled, s.first_orders::float8 as "newOnes",
      trim_scale(s.gross)::text as gross, trim_scale(s.refunded)::text as refunded,
      trim_scale(s.gross - s.refunded)::text as net,
      trim_scale(round(s.gross / nullif(s.orders, 0), 3))::text as average
    from sums s left join ranked r on s.currency = r.currency
    where s.orders is not null and coalesce(r.rank, 0) <= ${MAX_CURRENCIES + 1}
    order by s.n, r.rank`.execute(tx);
  const kept = Map.groupBy(rows, ({ n }) => n);
  const ordersOf = (n: number | null) => kept.get(n)?.find(({ isSum }) => isSum);
  const { customers, isEstimated } = await countCustomers(
    tx,
    storeId,
    spans,
    spans.map((_, i) => ordersOf(i + 1)?.orders ?? 0),
  );
  const sumsAt = (n: number | null): RevenueSums => {
    const newCustomers = ordersOf(n)?.newOnes ?? 0;
    const revenue = (kept.get(n) ?? []).filter(({ isSum, rank }) => !isSum && rank <= MAX_CURRENCIES);
    return {
      revenue: revenue.map(({ n: _n, newOnes: _newOnes, isSum: _isSum, rank: _rank, ...sum }) => sum),
      newCustomers,
      returningCustomers: Math.max(0, (customers.get(n) ?? 0) - newCustomers),
    };
  };
  return {
    whole: sumsAt(null),
    each: spans.map((_, i) => sumsAt(i + 1)),
    isCut: rows.some(({ rank }) => rank > MAX_CURRENCIES),
    isEstimated,
  };
}
