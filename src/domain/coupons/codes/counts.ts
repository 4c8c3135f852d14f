import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import { takeSome } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { newId } from '../../../ids/uuid-v7.ts';

export type CodeStatus = 'free' | 'assigned' | 'used' | 'void';

/** How many codes of a pool have been given out, have been used, or are not to be given out; the others are free. */
export type StatusCounts = Partial<Record<Exclude<CodeStatus, 'free'>, number>>;

/** An expression for the `StatusCounts` of `coupon_pool p`. */
export const STATUS_COUNTS = sql`coalesce((
  select json_object_agg(status, count) from (
    select status, sum(count)::int as count from (
      select status, count from coupon_count where store_id = p.store_id and pool_id = p.id
      union all
      select status, count from coupon_count_new where store_id = p.store_id and pool_id = p.id
    ) as counted
    group by status
  ) as by_status
), '{}')`;

/** One code of a pool more, or fewer, with a status. */
export interface CountChange {
  poolId: string;
  status: CodeStatus;
  count: 1 | -1;
}

/** Counts in the transaction that changes the codes: appended, so that nobody waits for others of the pool. */
export async function countCodes(tx: Sql, storeId: string, changes: readonly CountChange[]): Promise<void> {
  const byStatus = Map.groupBy(
    changes.filter(({ status }) => status !== 'free'),
    ({ poolId, status }) => `${poolId} ${status}`,
  );
  const sums = [...byStatus.values()]
    .map((all) => ({ ...(all[0] as CountChange), count: all.reduce((sum, { count }) => sum + count, 0) }))
    .filter(({ count }) => count !== 0);
  if (sums.length === 0) return;
  await sql`
    insert into coupon_count_new (store_id, id, pool_id, status, count)
    select ${storeId}::uuid, *
    from unnest(
      ${uuids(sums.map(() => newId()))}::uuid[],
      ${uuids(sums.map(({ poolId }) => poolId))}::uuid[],
      ${texts(sums.map(({ status }) => status))}::text[],
      ${integers(sums.map(({ count }) => count))}::int[])`.execute(tx);
}

/** Rows that one transaction sums up; see `sumUpCounts` of events. */
const ROWS_PER_STEP = 1_000;

/**
 * Adds what transactions have counted to the sums. One process at a time. Readers add up both tables, so it does not matter
 * when this runs or whether it fails.
 */
export async function sumUpCouponCounts(db: Sql): Promise<void> {
  while ((await sumUpStep(db)) === ROWS_PER_STEP);
}

export const SUM_UP_COUPON_COUNTS: DataTask = {
  failure: 'counts of coupons not summed up',
  everyMs: 1_000,
  rows: 'coupon_count_new',
  run: sumUpCouponCounts,
};

async function sumUpStep(db: Sql): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with ${takeSome('coupon_count_new', 'footfall.coupon_count', ROWS_PER_STEP)}, summed_up as (
      insert into coupon_count (store_id, pool_id, status, count)
      select store_id, pool_id, status, sum(count)
      from taken
      group by 1, 2, 3
      on conflict (store_id, pool_id, status)
      do update set count = coupon_count.count + excluded.count
    )
    select count(*)::int as taken from taken`.execute(db);
  return rows[0]?.taken ?? 0;
}
