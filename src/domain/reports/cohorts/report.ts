import { sql } from 'kysely';
import { integers, timestamps } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { currencyOf, ofLargestPart, ordersOf, type Part, TOO_LONG } from '../../orders/customers-of-orders.ts';
import { type Interval, intervalsOf } from '../../orders/ranges.ts';
import { readOrderSettings } from '../../orders/settings.ts';
import { spansAs } from '../../orders/spans.ts';
import { inReport } from '../../reading/in-report.ts';

const MAX_CURRENCIES = 20;

/** Whole months of a time zone, but for the last one; and in which currency amounts are asked for. */
export interface CohortQuestion {
  first: Temporal.PlainDate;
  /** Included. */
  last: Temporal.PlainDate;
  zone: string;
  /** That of the store, of orders that name none. */
  ofStore: string | null;
  /** By default that of the most orders. */
  currency: string | undefined;
  /** What is looked at less than usual, in tests. */
  maxOrders?: number;
}

export interface CohortReport {
  currency: string | null;
  /** Those of the months, that of the most orders first. */
  currencies: string[];
  cohorts: Cohort[];
  isComplete: boolean;
  isEstimated: boolean;
}

/** The customers whose first order was in a month. */
export interface Cohort {
  /** `2026-11-01` */
  month: string;
  profiles: number;
  /** From the month itself up to the last one. */
  months: CohortMonth[];
}

/** What they ordered in a month: the amount, less refunds, is a decimal number as text. */
export interface CohortMonth {
  profiles: number;
  orders: number;
  net: string;
}

/**
 * Tells, by the month of their first order, what customers ordered in the months after it. Throws `upstream_error` if that takes
 * too long.
 */
export async function reportCohorts(db: Sql, storeId: string, question: CohortQuestion): Promise<CohortReport> {
  const started = performance.now();
  const { first, last, zone, ofStore, maxOrders } = question;
  const months = intervalsOf({ first, last, zone, interval: 'month' });
  return await inReport(db, TOO_LONG, async (tx) => {
    const sums = await sumsOf(tx, storeId, months, ofStore);
    const currency = question.currency ?? sums.currencies[0] ?? ofStore ?? '';
    const bounds = { size: sums.orders, started, most: maxOrders };
    const hasEarlier = await hasOrdersBefore(tx, storeId, months[0] as Interval);
    const asked = { months, ofStore, currency, firsts: sums.firsts, hasEarlier };
    const { part, cells } = await ofLargestPart(tx, bounds, async (part) => ({
      part,
      cells: await readCells(tx, storeId, part, asked),
    }));
    const { isComplete } = await readOrderSettings(tx, storeId);
    return {
      currency: currency || null,
      currencies: sums.currencies.filter((one) => one !== ''),
      cohorts: cohortsOf(months, cells),
      isComplete,
      isEstimated: part > 1,
    };
  });
}

/** What is kept of the months anyway: their orders, and how many customers begin in each. */
async function sumsOf(tx: Sql, storeId: string, months: readonly Interval[], ofStore: string | null) {
  const { rows } = await sql<{ n: number | null; currency: string; orders: number; firsts: number }>`
    select s.n::int as n, ${currencyOf(ofStore)} as currency, sum(q.orders)::float8 as orders, sum(q.first_orders)::float8 as firsts
    from ${spansAs(months)}
    cross join lateral (
      select currency, orders, first_orders from order_quarter
      where store_id = ${storeId} and start >= s.first and start < s.last and orders > 0
    ) q
    group by 1, 2`.execute(tx);
  const sum = (some: typeof rows, of: 'orders' | 'firsts') => some.reduce((all, row) => all + row[of], 0);
  const ofCurrencies = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, some]) => ({
    currency,
    orders: sum(some, 'orders'),
  }));
  const inOrder = ofCurrencies.toSorted((a, b) => b.orders - a.orders || (a.currency < b.currency ? -1 : 1));
  const ofMonths = Map.groupBy(rows, ({ n }) => n);
  return {
    orders: sum(rows, 'orders'),
    currencies: inOrder.slice(0, MAX_CURRENCIES).map(({ currency }) => currency),
    firsts: months.map((_, i) => sum(ofMonths.get(i + 1) ?? [], 'firsts')),
  };
}

async function hasOrdersBefore(tx: Sql, storeId: string, { from }: Interval): Promise<boolean> {
  const { rows } = await sql`
    select from order_quarter where store_id = ${storeId} and start < ${new Date(from)}::timestamptz and orders > 0
    order by start limit 1`.execute(tx);
  return rows.length > 0;
}

/** What the customers who began in one month ordered in another; months are counted from 1. */
interface Cell extends CohortMonth {
  first: number;
  month: number;
}

interface Asked {
  months: readonly Interval[];
  ofStore: string | null;
  currency: string;
  /** How many customers begin in each month. */
  firsts: readonly number[];
  /** Whether there are orders before these months. */
  hasEarlier: boolean;
}

/**
 * By customer and month first; whether they have ordered before is then looked up once for each, by the index, if anybody has: the
 * planner can choose no join that compares all with all.
 */
async function readCells(
  tx: Sql,
  storeId: string,
  part: Part,
  { months, ofStore, currency, firsts, hasEarlier }: Asked,
): Promise<Cell[]> {
  const starts = months.map(({ from }) => new Date(from));
  const span = { from: (months[0] as Interval).from, to: (months.at(-1) as Interval).to };
  // How many customers begin in a month is known, also where a part of them is looked at.
  const scale =
    part === 1
      ? sql`1`
      : sql`(${integers(firsts)}::int[])[first]::numeric
          / max(profiles) filter (where month = first) over (partition by first)`;
  const isNew = sql`
    case when month = first then (
      select min(first_at) >= ${starts[0] as Date}::timestamptz from (
        select first_at from customer_value v
        where v.store_id = ${storeId} and ${exactly('v.profile_id', 'with_first.profile_id')}
        order by profile_id offset 0
      ) theirs
    ) end`;
  const kept = hasEarlier
    ? sql`
      select * from (
        select *, bool_or(is_new) over (partition by profile_id) as is_kept
        from (select *, ${isNew} as is_new from with_first) judged
      ) one
      where is_kept`
    : sql`select * from with_first`;
  const { rows } = await sql<Cell>`
    with by_month as (
      select profile_id, month, count(*)::int as orders, sum(net) filter (where currency = ${currency}) as net
      from (
        select profile_id, width_bucket(placed_at, ${timestamps(starts)}::timestamptz[]) as month,
          ${currencyOf(ofStore)} as currency, coalesce(amount, 0) - refunded as net
        from ${ordersOf(storeId, part, span)} o
      ) o
      group by profile_id, month
    ), with_first as (
      select *, min(month) over (partition by profile_id) as first from by_month
    ), kept as (
      ${kept}
    ), cells as (
      select first, month, count(*) as profiles, sum(orders) as orders, coalesce(sum(net), 0) as net
      from kept group by first, month
    ), scaled as (
      select *, ${scale} as scale from cells
    )
    select first, month, round(profiles * scale)::float8 as profiles, round(orders * scale)::float8 as orders,
      trim_scale(round(net * scale, 6))::text as net
    from scaled`.execute(tx);
  return rows;
}

function cohortsOf(months: readonly Interval[], cells: readonly Cell[]): Cohort[] {
  const found = new Map(cells.map((cell) => [`${cell.first} ${cell.month}`, cell]));
  return months.map(({ start }, i) => {
    const own = months.slice(i).map((_, n): CohortMonth => {
      const { profiles = 0, orders = 0, net = '0' } = found.get(`${i + 1} ${i + 1 + n}`) ?? {};
      return { profiles, orders, net };
    });
    return { month: start, profiles: own[0]?.profiles ?? 0, months: own };
  });
}
