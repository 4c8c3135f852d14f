import { type RawBuilder, sql } from 'kysely';
import { inTime } from '../../db/in-time.ts';
import { exactly } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import { NOBODY } from '../../ids/nobody.ts';
import { overloaded } from '../service-error.ts';
import type { Span } from './spans.ts';

/** Orders that are looked at, or sums of customers, at most. */
const MAX_ROWS = 200_000;
/** What part of the customers is looked at: all, one in eight, or one in 64; chance has chosen the last bytes of their ids. */
const PARTS = [1, 8, 64] as const;
export type Part = (typeof PARTS)[number];
/** Milliseconds for all of it, and for a part where there is a smaller one. */
const [MAX_MS, PART_MS] = [3_000, 1_400];
/** What a statement is given at least. */
const MIN_MS = 200;

export const TOO_LONG = 'This report takes too long to work out; try again later';

/** How many rows there are to look at, since when that takes time, and less than `MAX_ROWS` in tests. */
export interface PartBounds {
  size: number;
  /** Of `performance.now()`. */
  started: number;
  most: number | undefined;
}

/**
 * Works something out of all customers, or of a part of them whose rows are few enough; of a smaller one if that takes too
 * long. Throws `upstream_error` if each does.
 */
export async function ofLargestPart<Result>(
  tx: Sql,
  { size, started, most = MAX_ROWS }: PartBounds,
  work: (part: Part) => Promise<Result>,
): Promise<Result> {
  const left = () => Math.max(MIN_MS, started + MAX_MS - performance.now());
  const smallest = PARTS.at(-1);
  for (const part of PARTS) {
    if (part !== smallest && size > part * most) continue;
    const result = await inTime(tx, part === smallest ? left() : Math.min(PART_MS, left()), () => work(part));
    if (result !== undefined) return result;
  }
  throw overloaded(TOO_LONG);
}

/**
 * The orders of a part of the customers that were not cancelled, as rows of `store_order`, in a span of time or all: in the order of
 * time, in which they lie in the table; those of few customers by customer.
 */
export function ordersOf(storeId: string, part: Part, span?: Span): RawBuilder<unknown> {
  const orders = sql`store_order where store_id = ${storeId} and cancelled_at is null and ${inSpan(span)}`;
  switch (part) {
    case 1:
      return sql`(select * from ${orders} and profile_id <> ${NOBODY}::uuid order by placed_at, event_id)`;
    case 8:
      return sql`(select * from ${orders} and ${isInPart(8)} order by placed_at, profile_id)`;
    case 64:
      return sql`(
        select o.* from (
          select profile_id from (
            select profile_id from ${orders} and ${isInPart(64)}
            order by placed_at, profile_id
          ) sample
          group by profile_id
        ) c
        cross join lateral (
          select * from ${orders} and ${exactly('profile_id', 'c.profile_id')} order by profile_id, placed_at offset 0
        ) o
      )`;
  }
}

/** Whether the customer of a row is of a part. */
export function isInPart(part: Part): RawBuilder<unknown> {
  const isInEighth = sql`get_byte(uuid_send(profile_id), 15) >= 224`;
  if (part === 1) return sql`true`;
  return part === 8 ? isInEighth : sql`${isInEighth} and get_byte(uuid_send(profile_id), 14) >= 224`;
}

function inSpan(span: Span | undefined): RawBuilder<unknown> {
  return span
    ? sql`placed_at >= ${new Date(span.from)}::timestamptz and placed_at < ${new Date(span.to)}::timestamptz`
    : sql`true`;
}

/** The currency of a row; `ofStore`: that of what names none. Empty if there is none. */
export const currencyOf = (ofStore: string | null): RawBuilder<unknown> =>
  sql`coalesce(nullif(currency, ''), ${ofStore}::text, '')`;
