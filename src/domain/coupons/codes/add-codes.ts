import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { always, type Once } from '../../kept-answers.ts';
import { invalid, ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { drawCodes } from './draw-codes.ts';

/** Codes of a pool, and of all pools of a store. */
const [MAX_CODES, MAX_CODES_OF_STORE] = [1_000_000, 10_000_000];

interface Pool {
  kind: 'uploaded' | 'generated';
  pattern: string | null;
  codes: number;
}

/** Codes as they were uploaded, or how many to draw. */
export type NewCodes = { codes: readonly string[] } | { generate: number };

/** How many are new, and how many the pool had, or came twice. */
export interface AddedCodes {
  added: number;
  duplicate: number;
}

/**
 * Adds codes to a pool, each once, in their order. Undefined if the store has no such pool; throws `validation_error` if it
 * has codes of the other kind, or would have too many.
 */
export async function addCodes(
  db: Sql,
  storeId: string,
  poolId: string,
  codes: NewCodes,
  once: Once<AddedCodes | undefined> = always,
): Promise<AddedCodes | undefined> {
  const add = async (tx: Sql) => {
    const { rows } = await sql<Pool>`
      select kind, pattern, codes from coupon_pool where store_id = ${storeId} and id = ${poolId} for no key update`.execute(
      tx,
    );
    const [pool] = rows;
    if (!pool) return undefined;
    const all = codesFor(pool, codes);
    const distinct = [...new Set(all)];
    const { numAffectedRows = 0n } = await sql`
      insert into coupon_code (store_id, pool_id, id, code, status, created_at)
      select ${storeId}::uuid, ${poolId}::uuid, id, code, 'free', now()
      from unnest(${uuids(distinct.map(() => newId()))}::uuid[], ${texts(distinct)}::text[]) as new_code (id, code)
      on conflict (store_id, code, pool_id) do nothing`.execute(tx);
    const added = Number(numAffectedRows);
    await expectRoom(tx, storeId, pool.codes, added);
    await sql`
      update coupon_pool set codes = codes + ${added}::int
      where store_id = ${storeId} and id = ${poolId}`.execute(tx);
    return { added, duplicate: all.length - added };
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => add(tx))));
}

function codesFor({ kind, pattern }: Pool, given: NewCodes): readonly string[] {
  if ('codes' in given) {
    if (kind === 'uploaded') return given.codes;
    throw invalid({ path: ['codes'], problem: 'can be added to a pool of uploaded codes; this one generates its own' });
  }
  if (kind === 'generated') return drawCodes(pattern as string, given.generate);
  throw invalid({ path: ['generate'], problem: 'is for a pool of generated codes; this one takes those of a shop' });
}

async function expectRoom(tx: Sql, storeId: string, present: number, added: number): Promise<void> {
  const fail = (what: string) =>
    new ServiceError('validation_error', `${what} codes; delete a pool that is over first`);
  if (present + added > MAX_CODES) throw fail('The pool would have more than 1,000,000');
  const { rows } = await sql<{ codes: number }>`
    select coalesce(sum(codes), 0)::float8 as codes from coupon_pool where store_id = ${storeId}`.execute(tx);
  // Several at the same time, for different pools, may be a little too much, which does no harm.
  if ((rows[0]?.codes ?? 0) + added > MAX_CODES_OF_STORE) throw fail('The store would have more than 10,000,000');
}
