import { sql } from 'kysely';
import { timestamps } from '../../db/binary-arrays.ts';
import { isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/sql.ts';
import { NOBODY } from '../../ids/nobody.ts';
import { overloaded } from '../service-error.ts';
import { type Interval, intervalsOf, type RevenueRange, rangeBefore, spanOf } from './ranges.ts';
import { readOrderSettings } from './settings.ts';

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
}

/** A report is given up after so long. */
const MAX_MS = 3_000;
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
  try {
    return await sumUp(db, storeId, range, currency);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw overloaded('This range takes too long to sum up; ask for a shorter one');
  }
}

async function sumUp(db: Sql, storeId: string, range: RevenueRange, currency: string | null): Promise<RevenueReport> {
  return await db.transaction().execute(async (tx) => {
    await limitStatements(tx, MAX_MS);
    const intervals = intervalsOf(range);
    const whole = await sumsOf(tx, storeId, [spanOf(range)], currency);
    const each = await sumsOf(tx, storeId, intervals, currency);
    const before = rangeBefore(range);
    const compared = before && (await sumsOf(tx, storeId, [before.span], currency));
    const { isComplete } = await readOrderSettings(tx, storeId);
    return {
      totals: whole.sums[0] as RevenueSums,
      intervals: intervals.map(({ start }, i) => ({ start, sums: each.sums[i] as RevenueSums })),
      comparison: before && compared ? { ...before.days, totals: compared.sums[0] as RevenueSums } : null,
      isComplete,
      isCut: whole.isCut || compared?.isCut === true,
    };
  });
}

type Span = Pick<Interval, 'from' | 'to'>;

interface Row extends CurrencyRevenue {
  n: number;
  isCut: boolean;
}

/** Returns the sums of spans of time, in which no two overlap. */
async function sumsOf(
  tx: Sql,
  storeId: string,
  spans: readonly Span[],
  currency: string | null,
): Promise<{ sums: RevenueSums[]; isCut: boolean }> {
  const { rows } = await sql<Row>`
    with sums as (
      select s.n, nullif(coalesce(nullif(q.currency, ''), ${currency}::text, ''), '') as currency, sum(q.orders) as orders,
        sum(q.cancelled) as cancelled, sum(q.amount) as gross, sum(q.refunded) as refunded
      from ${spansAs(spans)}
      cross join lateral (
        select * from order_quarter
        where store_id = ${storeId} and start >= s.first and start < s.last and (orders > 0 or cancelled > 0)
      ) q
      group by 1, 2
    ), ranked as (
      select currency, row_number() over (order by sum(orders) desc, currency) as rank from sums group by currency
    )
    select s.n::int as n, s.currency, s.orders::float8 as orders, s.cancelled::float8 as cancelled,
      trim_scale(s.gross)::text as gross, trim_scale(s.refunded)::text as refunded,
      trim_scale(s.gross - s.refunded)::text as net,
      trim_scale(round(s.gross / nullif(s.orders, 0), 3))::text as average,
      exists (select from ranked where rank > ${MAX_CURRENCIES}) as "isCut"
    from sums s join ranked r on s.currency is not distinct from r.currency
    where r.rank <= ${MAX_CURRENCIES}
    order by s.n, r.rank`.execute(tx);
  const customers = await customersOf(tx, storeId, spans);
  const sums = spans.map((_, i) => ({
    revenue: rows.filter(({ n }) => n === i + 1).map(({ n: _n, isCut: _isCut, ...sum }) => sum),
    newCustomers: customers.get(i + 1)?.newOnes ?? 0,
    returningCustomers: customers.get(i + 1)?.returning ?? 0,
  }));
  return { sums, isCut: rows.some(({ isCut }) => isCut) };
}

interface Customers {
  newOnes: number;
  returning: number;
}

/** Cancelled orders make nobody a customer. */
async function customersOf(tx: Sql, storeId: string, spans: readonly Span[]): Promise<Map<number, Customers>> {
  const { rows } = await sql<Customers & { n: number }>`
    select c.n::int as n, (count(*) filter (where f.placed_at >= c.first))::float8 as "newOnes",
      (count(*) filter (where f.placed_at < c.first))::float8 as returning
    from (
      select distinct s.n, s.first, o.profile_id
      from ${spansAs(spans)}
      cross join lateral (
        select profile_id from store_order
        where store_id = ${storeId} and placed_at >= s.first and placed_at < s.last and cancelled_at is null
          and profile_id <> ${NOBODY}::uuid
      ) o
    ) c
    cross join lateral (
      select placed_at from store_order
      where store_id = ${storeId} and profile_id = c.profile_id and cancelled_at is null
      order by profile_id, placed_at limit 1
    ) f
    group by 1`.execute(tx);
  return new Map(rows.map(({ n, ...customers }) => [n, customers]));
}

const spansAs = (spans: readonly Span[]) => sql`unnest(
    ${timestamps(spans.map(({ from }) => new Date(from)))}::timestamptz[],
    ${timestamps(spans.map(({ to }) => new Date(to)))}::timestamptz[]
  ) with ordinality as s (first, last, n)`;
