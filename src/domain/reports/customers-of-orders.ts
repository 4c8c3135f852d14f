import { type RawBuilder, sql } from 'kysely';
import { inTime } from '../../db/in-time.ts';
import { exactly } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import { NOBODY } from '../../ids/nobody.ts';
import type { Span } from '../orders/spans.ts';
import { overloaded } from '../service-error.ts';

/** Orders that are looked at, at most. */
const MAX_ORDERS = 200_000;
/** What part of the customers is looked at: all, one in eight, or one in 64; chance has chosen the last bytes of their ids. */
const PARTS = [1, 8, 64] as const;
export type Part = (typeof PARTS)[number];
/** Milliseconds for all of it, and for a part where there is a smaller one. */
const [MAX_MS, PART_MS] = [3_000, 1_400];
/** What a statement is given at least. */
const MIN_MS = 200;

export const TOO_LONG = 'This report takes too long to work out; try again later';

/** How much there is to look at, since when that takes time, and less than `MAX_ORDERS` in tests. */
export interface PartBounds {
  orders: number;
  /** Of `performance.now()`. */
  started: number;
  maxOrders: number | undefined;
}

/**
 * Works something out of all customers, or of a part of them whose orders are few enough; of a smaller one if that takes too
 * long. Throws `upstream_error` if each does.
 */
export async function ofLargestPart<Result>(
  tx: Sql,
  { orders, started, maxOrders = MAX_ORDERS }: PartBounds,
  work: (part: Part) => Promise<Result>,
): Promise<Result> {
  const left = () => Math.max(MIN_MS, started + MAX_MS - performance.now());
  const smallest = PARTS.at(-1);
  for (const part of PARTS) {
    if (part !== smallest && orders > part * maxOrders) continue;
    const result = await inTime(tx, part === smallest ? left() : Math.min(PART_MS, left()), () => work(part));
    if (result !== undefined) return result;
  }
  throw overloaded(TOO_LONG);
}

/** Customers of a part who have ordered, in a span of time or ever: rows of `profile_id`, read from `store_order_sample` alone. */
export function customersOf(storeId: string, part: Exclude<Part, 1>, span?: Span): RawBuilder<unknown> {
  const isDrawn = part === 8 ? sql`true` : sql`get_byte(uuid_send(profile_id), 14) >= 224`;
  return sql`(
    select profile_id from (
      select profile_id from store_order
      where store_id = ${storeId} and cancelled_at is null and get_byte(uuid_send(profile_id), 15) >= 224
        and ${isDrawn} and ${inSpan(span)}
      order by placed_at, profile_id
    ) sample
    group by profile_id
  )`;
}

/** Rows of a table that has `profile_id` first in an index, of each of some customers by itself, in the order of `columns`. */
export function rowsOfEach(
  customers: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select o.* from ${customers} c
    cross join lateral (select * from ${rows} and ${exactly('profile_id', 'c.profile_id')} order by ${columns} offset 0) o
  )`;
}

/** The orders of a part of the customers that were not cancelled, as rows of `store_order`, in a span of time or all. */
export function ordersOf(storeId: string, part: Part, span?: Span): RawBuilder<unknown> {
  const orders = sql`store_order where store_id = ${storeId} and cancelled_at is null and ${inSpan(span)}`;
  // In the order of time, in which they lie in the table.
  if (part === 1) return sql`(select * from ${orders} and profile_id <> ${NOBODY}::uuid order by placed_at, event_id)`;
  return rowsOfEach(customersOf(storeId, part, span), orders, sql`profile_id, placed_at`);
}

function inSpan(span: Span | undefined): RawBuilder<unknown> {
  return span
    ? sql`placed_at >= ${new Date(span.from)}::timestamptz and placed_at < ${new Date(span.to)}::timestamptz`
    : sql`true`;
}

/** The currency of a row; `ofStore`: that of what names none. Empty if there is none. */
export const currencyOf = (ofStore: string | null): RawBuilder<unknown> =>
  sql`coalesce(nullif(currency, ''), ${ofStore}::text, '')`;
