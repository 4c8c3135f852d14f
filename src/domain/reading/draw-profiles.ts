import { sql } from 'kysely';
import { isTimeout } from '../../db/driver-errors.ts';
import { withSavepoint } from '../../db/savepoint.ts';
import type { Sql } from '../../db/sql.ts';

/** Customers up to which those of a store are counted: to count some millions takes many seconds. */
const MAX_COUNTED = 100_000;
/** Pages of the table, of 8 KB each, from which the customers of a larger store are drawn. */
const MAX_PAGES = 10_000;

export interface ProfileCount {
  profiles: number;
  /** Whether it is not an estimate. */
  isExact: boolean;
}

/** What is looked at; less than that only in tests. */
interface Bounds {
  maxCounted?: number;
  maxPages?: number;
}

/**
 * Returns how many customers a store has, in the caller's transaction: exactly if they are counted soon, else as those on
 * some pages of the table let it be told.
 */
export async function countProfiles(tx: Sql, storeId: string, bounds: Bounds = {}): Promise<ProfileCount> {
  const { maxCounted = MAX_COUNTED } = bounds;
  const counted = await countSome(tx, storeId, maxCounted);
  if (counted !== undefined && counted <= maxCounted) return { profiles: counted, isExact: true };
  const { found, share } = await sample(tx, storeId, 0, bounds);
  return { profiles: Math.max(counted ?? 0, Math.round(found / share)), isExact: false };
}

/** Returns customers of a store at random, in no order, and how many there are. */
export async function drawProfiles(
  tx: Sql,
  storeId: string,
  { profiles, isExact }: ProfileCount,
  limit: number,
  bounds: Bounds = {},
): Promise<ProfileCount & { ids: string[] }> {
  if (!isExact) {
    const { ids } = await sample(tx, storeId, limit, bounds);
    return { profiles, isExact, ids };
  }
  const { rows } = await sql<{ id: string }>`
    select id from profile where store_id = ${storeId} order by random() limit ${limit}`.execute(tx);
  return { profiles, isExact, ids: rows.map(({ id }) => id) };
}

/** Undefined if that takes too long; no more than one above `most`. */
async function countSome(tx: Sql, storeId: string, most: number): Promise<number | undefined> {
  try {
    return await withSavepoint(tx, async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count
        from (select from profile where store_id = ${storeId} order by id limit ${most + 1}) as few`.execute(tx);
      return rows[0]?.count ?? 0;
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return undefined;
  }
}

/**
 * Some of the customers on random pages of the table, and how many there are on those. Few of each page where there are
 * many pages: those beside one another have often come together.
 */
async function sample(
  tx: Sql,
  storeId: string,
  limit: number,
  { maxPages = MAX_PAGES }: Bounds,
): Promise<{ found: number; share: number; ids: string[] }> {
  const { rows: sizes } = await sql<{ pages: number }>`
    select (pg_relation_size('profile'::regclass) / current_setting('block_size')::int)::float8 as pages`.execute(tx);
  const share = Math.min(1, maxPages / Math.max(1, sizes[0]?.pages ?? 0));
  const { rows } = await sql<{ found: number; ids: string[] }>`
    with drawn as materialized (
      select id from profile tablesample system (${100 * share}::float8) where store_id = ${storeId}
    )
    select (select count(*) from drawn)::int as found,
      array(select id::text from drawn order by random() limit ${limit}) as ids`.execute(tx);
  const [{ found, ids }] = rows as [(typeof rows)[number]];
  return { found, share, ids };
}
