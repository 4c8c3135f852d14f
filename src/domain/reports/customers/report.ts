import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { currencyOf, ofLargestPart, ordersOf, type Part, TOO_LONG } from '../../orders/customers-of-orders.ts';
import { readOrderSettings } from '../../orders/settings.ts';
import { inReport } from '../../reading/in-report.ts';

/** How many orders customers are counted by: from each number to before the next one. */
const BOUNDS = [1, 2, 3, 4, 5, 6, 11, 21];
const MAX_CURRENCIES = 20;

export interface CustomersReport {
  /** Who has ordered, and who has more than once. */
  profiles: number;
  repeating: number;
  /** Of these customers, without those that were cancelled. */
  orders: number;
  /** `to` is null of the last one. */
  distribution: { from: number; to: number | null; profiles: number }[];
  /** Seconds between an order and the next one of a customer; null if nobody has two. */
  gaps: { lowerQuartile: number; median: number; upperQuartile: number } | null;
  values: CustomerValue[];
  isComplete: boolean;
  /** Whether there are more currencies. */
  isCut: boolean;
  isEstimated: boolean;
}

/** What customers have ordered in a currency, less refunds; amounts are decimal numbers as text. */
export interface CustomerValue {
  currency: string | null;
  /** Who has ordered in it. */
  profiles: number;
  average: string;
  median: string;
}

/**
 * Tells of all customers of a store what they have ordered. `currency`: that of the store, of orders that name none. Throws
 * `upstream_error` if that takes too long.
 */
export async function reportCustomers(
  db: Sql,
  storeId: string,
  { currency, maxOrders }: { currency: string | null; maxOrders?: number },
): Promise<CustomersReport> {
  const started = performance.now();
  return await inReport(db, TOO_LONG, async (tx) => {
    const { rows } = await sql<{ orders: number; profiles: number }>`
      select coalesce(sum(orders), 0)::float8 as orders, coalesce(sum(first_orders), 0)::float8 as profiles
      from order_quarter where store_id = ${storeId}`.execute(tx);
    const [all] = rows as [(typeof rows)[number]];
    const bounds = { size: all.orders, started, most: maxOrders };
    const { part, row } = await ofLargestPart(tx, bounds, async (part) => ({
      part,
      row: await readPart(tx, storeId, part, currency),
    }));
    const { isComplete } = await readOrderSettings(tx, storeId);
    const isEstimated = part > 1;
    // How many customers there are is known.
    const scale = isEstimated && row.profiles > 0 ? all.profiles / row.profiles : 1;
    const values = row.values.parse<(CustomerValue & { currency: string })[]>();
    const scaled = (count: number) => Math.round(count * scale);
    return {
      profiles: scaled(row.profiles),
      repeating: scaled(row.repeating),
      orders: scaled(row.orders),
      distribution: BOUNDS.map((from, i) => ({
        from,
        to: i + 1 < BOUNDS.length ? (BOUNDS[i + 1] as number) - 1 : null,
        profiles: scaled(row.distribution[i] ?? 0),
      })),
      gaps: row.gaps && {
        lowerQuartile: row.gaps[0] as number,
        median: row.gaps[1] as number,
        upperQuartile: row.gaps[2] as number,
      },
      values: values.slice(0, MAX_CURRENCIES).map(({ currency: of, profiles, ...value }) => ({
        currency: of || null,
        profiles: scaled(profiles),
        ...value,
      })),
      isComplete,
      isCut: values.length > MAX_CURRENCIES,
      isEstimated,
    };
  });
}

interface Row {
  profiles: number;
  repeating: number;
  orders: number;
  /** Customers by their orders, as `BOUNDS` has them. */
  distribution: number[];
  gaps: number[] | null;
  values: RawJson;
}

async function readPart(tx: Sql, storeId: string, part: Part, currency: string | null): Promise<Row> {
  const { rows } = await sql<Row>`
    with placed as materialized (
      select profile_id, ${currencyOf(currency)} as currency, coalesce(amount, 0) - refunded as net,
        placed_at - lag(placed_at) over (partition by profile_id order by placed_at) as gap
      from ${ordersOf(storeId, part)} o
    ), worth as materialized (
      select profile_id, currency, count(*) as orders, sum(net) as net from placed group by profile_id, currency
    ), counted as materialized (
      select profile_id, sum(orders)::int as orders from worth group by profile_id
    ), of_numbers as (
      select width_bucket(orders, ${sql.lit(`{${BOUNDS}}`)}::int[]) as place, count(*) as profiles
      from counted group by 1
    ), of_currencies as (
      select currency, count(*) as profiles, trim_scale(round(avg(net), 3))::text as average,
        trim_scale(percentile_disc(0.5) within group (order by net))::text as median
      from worth group by currency order by count(*) desc, currency limit ${MAX_CURRENCIES + 1}
    ), quartiles as (
      select percentile_cont(array[0.25, 0.5, 0.75]) within group (order by gap) as at from placed where gap is not null
    )
    select count(*)::float8 as profiles, (count(*) filter (where orders > 1))::float8 as repeating,
      coalesce(sum(orders), 0)::float8 as orders,
      (
        select array_agg(coalesce(profiles, 0)::float8 order by place)
        from generate_series(1, ${BOUNDS.length}::int) place left join of_numbers using (place)
      ) as distribution,
      (select array(select extract(epoch from one)::float8 from unnest(at) one) from quartiles where at is not null) as gaps,
      coalesce((
        select json_agg(json_build_object(
          'currency', currency, 'profiles', profiles, 'average', average, 'median', median) order by profiles desc, currency)
        from of_currencies
      ), '[]') as values
    from counted`.execute(tx);
  return rows[0] as Row;
}
