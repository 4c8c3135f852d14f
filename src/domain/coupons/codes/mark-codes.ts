import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { CouponCode } from './codes.ts';
import { type CodeStatus, countCodes } from './counts.ts';

/** What has become of a code in the shop. */
export interface Mark {
  code: string;
  status: 'used' | 'void';
  orderId: string | null;
}

export type MarkOutcome = 'marked' | 'unchanged' | 'unknown';

/**
 * Marks codes of a pool, and returns what came of each, in the same order: a code that was used stays so, as does one that
 * is void. The customer of a void one may get another. Undefined if the store has no such pool.
 */
export async function markCodes(
  db: Sql,
  storeId: string,
  poolId: string,
  marks: readonly Mark[],
): Promise<MarkOutcome[] | undefined> {
  return await retryConflicts(db, () => db.transaction().execute((tx) => markIn(tx, storeId, poolId, marks)));
}

/** The same in the caller's transaction. */
export async function markIn(
  tx: Sql,
  storeId: string,
  poolId: string,
  marks: readonly Mark[],
): Promise<MarkOutcome[] | undefined> {
  const { rows: pools } = await sql`
    select from coupon_pool where store_id = ${storeId} and id = ${poolId} for share`.execute(tx);
  if (pools.length === 0) return undefined;
  const named = [...new Set(marks.map(({ code }) => code))];
  const { rows } = await sql<Pick<CouponCode, 'code' | 'status'>>`
    select code, status from coupon_code
    where store_id = ${storeId} and pool_id = ${poolId} and code = any(${texts(named)}::text[])
    order by code
    for update`.execute(tx);
  const known = new Map(rows.map(({ code, status }) => [code, status]));
  const changes: (Mark & { before: CodeStatus })[] = [];
  const outcomes = marks.map((one): MarkOutcome => {
    const before = known.get(one.code);
    if (before === undefined) return 'unknown';
    if (before === 'used' || before === 'void') return 'unchanged';
    known.set(one.code, one.status);
    changes.push({ ...one, before });
    return 'marked';
  });
  await writeMarks(tx, storeId, poolId, changes);
  return outcomes;
}

async function writeMarks(
  tx: Sql,
  storeId: string,
  poolId: string,
  changes: readonly (Mark & { before: CodeStatus })[],
): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    update coupon_code c set status = m.status, order_id = m.order_id,
      used_at = case when m.status = 'used' then now() end,
      holder = case when m.status = 'used' then c.holder end
    from unnest(
      ${texts(changes.map(({ code }) => code))}::text[],
      ${texts(changes.map(({ status }) => status))}::text[],
      ${texts(changes.map(({ orderId }) => orderId))}::text[]) as m (code, status, order_id)
    where c.store_id = ${storeId} and c.pool_id = ${poolId} and c.code = m.code`.execute(tx);
  await countCodes(
    tx,
    storeId,
    changes.flatMap(({ before, status }) => [
      { poolId, status: before, count: -1 as const },
      { poolId, status, count: 1 as const },
    ]),
  );
}
