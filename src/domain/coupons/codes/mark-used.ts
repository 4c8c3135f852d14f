import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { type Mark, markIn } from './mark-codes.ts';

/** An order, and the codes that it names. */
export interface OrderWithCodes {
  /** Null if it has none that can be kept. */
  orderId: string | null;
  codes: readonly string[];
}

/**
 * Marks the codes of orders as used, in the caller's transaction, in each pool that has one. What is used or void already stays
 * as it is, so that another order with a code changes nothing. Shops take codes in small letters, too.
 */
export async function markUsed(tx: Sql, storeId: string, orders: readonly OrderWithCodes[]): Promise<void> {
  const orderOf = new Map<string, string | null>();
  for (const { orderId, codes } of orders) {
    for (const code of codes) {
      for (const spelling of [code, code.toUpperCase()]) if (!orderOf.has(spelling)) orderOf.set(spelling, orderId);
    }
  }
  if (orderOf.size === 0) return;
  const { rows } = await sql<{ poolId: string; code: string }>`
    select c.pool_id as "poolId", c.code
    from unnest(${texts([...orderOf.keys()])}::text[]) as named (code)
    cross join lateral (
      select code, pool_id, status from coupon_code 
      where store_id = ${storeId} and ${exactly('code', 'named.code')} order by code, pool_id
    ) c
    where c.status in ('free', 'assigned')
    order by 1, 2`.execute(tx);
  for (const [poolId, some] of Map.groupBy(rows, (row) => row.poolId)) {
    const marks = some.map(({ code }): Mark => ({ code, status: 'used', orderId: orderOf.get(code) ?? null }));
    await markIn(tx, storeId, poolId, marks);
  }
}
