import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import type { NoCode } from './assign.ts';

/** What a preview shows for a code that nobody has been given. */
export const EXAMPLE_CODE = 'EXAMPLE-CODE';

export interface PreviewedCode {
  code: string;
  poolId: string;
  /** Milliseconds; null if its pool does not expire. */
  expiresAt: number | null;
}

/** Returns what pools would give a customer now: the code that they have, or an example of one. None is given out. */
export async function previewCodes(
  db: Sql,
  storeId: string,
  profileId: string,
  poolIds: readonly string[],
): Promise<Map<string, PreviewedCode | NoCode>> {
  if (poolIds.length === 0) return new Map();
  const { rows } = await sql<PreviewedCode & { isExpired: boolean; own: string | null; hasFree: boolean }>`
    select p.id as "poolId", (extract(epoch from p.expires_at) * 1000)::float8 as "expiresAt",
      coalesce(p.expires_at <= now(), false) as "isExpired",
      (
        select c.code from coupon_code c
        where c.store_id = p.store_id and c.pool_id = p.id and c.holder = ${profileId}
      ) as own,
      exists (
        select from coupon_code c where c.store_id = p.store_id and c.pool_id = p.id and c.status = 'free'
      ) as "hasFree"
    from coupon_pool p
    where p.store_id = ${storeId} and p.id = any(${uuids([...new Set(poolIds)])}::uuid[])`.execute(db);
  return new Map(
    rows.map(({ poolId, expiresAt, isExpired, own, hasFree }): [string, PreviewedCode | NoCode] => {
      if (isExpired) return [poolId, 'expired'];
      if (own === null && !hasFree) return [poolId, 'empty'];
      return [poolId, { code: own ?? EXAMPLE_CODE, poolId, expiresAt }];
    }),
  );
}
