import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { NOBODY } from '../../ids/nobody.ts';
import { type Span, spansAs } from './spans.ts';

/** Orders whose customers are counted one by one; of more, those of one customer in eight are. */
export const MAX_COUNTED = 40_000;
const EIGHTH = 8;

/** Customers by the place of a span, from 1; by null in all spans. */
export interface CustomerCounts {
  customers: ReadonlyMap<number | null, number>;
  isEstimated: boolean;
}

/**
 * Counts the customers of spans that follow each other; `orders`: those of each span that were not cancelled. What would take
 * too long to count is estimated by the eighth of the customers that `store_order_sample` has, whose ids chance has chosen.
 */
export async function countCustomers(
  tx: Sql,
  storeId: string,
  spans: readonly Span[],
  orders: readonly number[],
): Promise<CustomerCounts> {
  const total = orders.reduce((all, one) => all + one, 0);
  if (total <= MAX_COUNTED) {
    const rows = await count(tx, storeId, spans, sql`profile_id <> ${NOBODY}::uuid order by placed_at, event_id`);
    return { customers: new Map(rows.map(({ n, customers }) => [n, customers])), isEstimated: false };
  }
  const rows = await count(
    tx,
    storeId,
    spans,
    sql`get_byte(uuid_send(profile_id), 15) >= 224 order by placed_at, profile_id`,
  );
  const theirs = await countNobodys(tx, storeId, spans);
  const all = total - theirs.reduce((sum, one) => sum + one, 0);
  const estimates = rows.map((row) => {
    const { n } = row;
    return [n, estimate(row, n === null ? all : (orders[n - 1] ?? 0) - (theirs[n - 1] ?? 0))] as const;
  });
  return { customers: new Map(estimates), isEstimated: true };
}

interface Counted {
  n: number | null;
  customers: number;
  orders: number;
  /** Of how many orders each has beyond one, the squares. */
  squares: number;
}

const SQUARES = sql`sum((times - 1)::float8 * (times - 1))`;

/** `who` ends with the order of the index to read, which a planner with stale statistics would not choose. */
async function count(tx: Sql, storeId: string, spans: readonly Span[], who: RawBuilder<unknown>): Promise<Counted[]> {
  // Those of each span by themselves, in a small table, and in numbers that Postgres adds fast: there may be very many.
  const { rows } = await sql<Counted>`
    with times as materialized (
      select s.n, o.profile_id, o.times
      from ${spansAs(spans)}
      cross join lateral (
        select profile_id, count(*)::int as times
        from (
          select profile_id from store_order
          where store_id = ${storeId} and placed_at >= s.first and placed_at < s.last and cancelled_at is null and ${who}
        ) one
        group by 1
      ) o
    )
    select n::int as n, count(*)::float8 as customers, sum(times)::float8 as orders, ${SQUARES} as squares
    from times group by 1
    union all
    select null, count(*), sum(times)::float8, ${SQUARES}
    from (select profile_id, sum(times)::int as times from times group by 1) whole`.execute(tx);
  return rows;
}

/** Orders of customers who were erased. */
async function countNobodys(tx: Sql, storeId: string, spans: readonly Span[]): Promise<number[]> {
  const { rows } = await sql<{ orders: number }>`
    select o.orders::float8 as orders
    from ${spansAs(spans)}
    cross join lateral (
      select count(*) as orders from (
        select from store_order
        where store_id = ${storeId} and profile_id >= ${NOBODY}::uuid and profile_id <= ${NOBODY}::uuid
          and placed_at >= s.first and placed_at < s.last and cancelled_at is null
        order by profile_id, placed_at
      ) theirs
    ) o
    order by s.n`.execute(tx);
  return rows.map(({ orders }) => orders);
}

/**
 * Eight times the sample; or all orders but eight times those that are not a customer's first, which is surer where most have
 * only one: the variance is as the squares of what is multiplied. Unless somebody with very many is not in the sample: then
 * that is too much by more than chance makes of the first.
 */
function estimate({ customers, orders, squares }: Counted, all: number): number {
  const few = Math.min(all, EIGHTH * customers);
  const surer = Math.max(0, all - EIGHTH * (orders - customers));
  const deviation = Math.sqrt((EIGHTH - 1) * few);
  return squares > customers || Math.abs(surer - few) > 2 * deviation ? few : surer;
}
