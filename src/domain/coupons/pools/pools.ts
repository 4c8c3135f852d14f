import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { expectNoAutomationAssignsFrom } from '../../automations/stored/unnamed.ts';
import { expectNoCampaignGivesFrom } from '../../campaigns/stored/named.ts';
import { always, type Once } from '../../kept-answers.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../../reading/cursor.ts';
import { ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { STATUS_COUNTS, type StatusCounts } from '../codes/counts.ts';
import { expectPattern } from '../codes/draw-codes.ts';

/** Coupon codes that customers get, one each. */
export interface CouponPool {
  id: string;
  name: string;
  kind: 'uploaded' | 'generated';
  /** Whether a customer has one code, however often they are given one, or each run. */
  per: 'customer' | 'run';
  /** Of generated codes: a character is drawn for each `#`. */
  pattern: string | null;
  /** With fewer free codes it is low. */
  lowBelow: number | null;
  expiresAt: Date | null;
  /** How many it has, of whatever status. */
  codes: number;
  counts: StatusCounts;
  createdAt: Date;
  updatedAt: Date;
}

export type NewPool = Pick<CouponPool, 'name' | 'kind' | 'per' | 'pattern' | 'lowBelow' | 'expiresAt'>;
/** What is undefined stays as it is. */
export interface PoolChange {
  name: string | undefined;
  lowBelow: number | null | undefined;
  expiresAt: Date | null | undefined;
}

/** Pools of a store. */
const MAX_POOLS = 100;

interface PoolRow extends Omit<CouponPool, 'counts' | 'expiresAt' | 'createdAt' | 'updatedAt'> {
  counts: RawJson;
  expires: number | null;
  created: number;
  updated: number;
  candidates?: never;
}

const COLUMNS = sql`
  p.id, p.name, p.kind, p.per, p.pattern, p.low_below as "lowBelow", p.codes, ${STATUS_COUNTS} as counts,
  (extract(epoch from p.expires_at) * 1000)::float8 as expires,
  (extract(epoch from p.created_at) * 1000)::float8 as created,
  (extract(epoch from p.updated_at) * 1000)::float8 as updated`;

/** Throws `validation_error` for a pattern that is none, or if the store has as many pools as it may have. */
export async function createPool(
  db: Sql,
  storeId: string,
  pool: NewPool,
  once: Once<CouponPool> = always,
): Promise<CouponPool> {
  const { name, kind, per, pattern, lowBelow, expiresAt } = pool;
  expectPattern(kind, pattern);
  const id = newId();
  const create = async (tx: Sql) => {
    // One after the other: they are counted.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.coupon_pools ${storeId}`}, 0))`.execute(tx);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from coupon_pool where store_id = ${storeId}`.execute(tx);
    if ((rows[0]?.count ?? 0) >= MAX_POOLS) {
      throw new ServiceError('validation_error', `The store already has ${MAX_POOLS} pools; delete one first`);
    }
    await sql`
      insert into coupon_pool (store_id, id, name, kind, per, pattern, low_below, expires_at, codes, created_at, updated_at)
      values (${storeId}, ${id}, ${name}, ${kind}, ${per}, ${pattern}, ${lowBelow}, ${expiresAt}, 0, now(), now())`.execute(
      tx,
    );
    return (await findPool(tx, storeId, id)) as CouponPool;
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => create(tx))));
}

/** Undefined if the store has no such pool. */
export async function findPool(db: Sql, storeId: string, id: string): Promise<CouponPool | undefined> {
  const { rows } = await sql<PoolRow>`
    select ${COLUMNS} from coupon_pool p where p.store_id = ${storeId} and p.id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns the pools of the store, newest first. */
export async function listPools(db: Sql, storeId: string, page: PageRequest): Promise<Page<CouponPool>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<PoolRow>`
    select ${COLUMNS} from coupon_pool p
    where p.store_id = ${storeId} and p.id < ${before}
    order by p.id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, fromRow, idCursor);
}

/** Undefined if the store has no such pool. */
export async function updatePool(
  db: Sql,
  storeId: string,
  id: string,
  { name, lowBelow, expiresAt }: PoolChange,
): Promise<CouponPool | undefined> {
  await sql`
    update coupon_pool set
      name = coalesce(${name ?? null}::text, name),
      low_below = case when ${lowBelow === undefined}::boolean then low_below else ${lowBelow ?? null}::int end,
      expires_at = case
        when ${expiresAt === undefined}::boolean then expires_at
        else ${expiresAt ?? null}::timestamptz
      end,
      updated_at = now()
    where store_id = ${storeId} and id = ${id}`.execute(db);
  return await findPool(db, storeId, id);
}

/**
 * Deletes a pool, and returns it as it was; undefined if the store has no such pool. Its codes are deleted afterwards, by
 * `deleteCodesOfDeleted`. Throws `validation_error` if a step of an automation gives out its codes,
 * or a campaign that is not over.
 */
export async function deletePool(
  db: Sql,
  storeId: string,
  id: string,
  once: Once<CouponPool | undefined> = always,
): Promise<CouponPool | undefined> {
  const remove = async (tx: Sql) => {
    // Whoever publishes an automation that names it, or gives out one of its codes, waits until it is gone.
    await sql`select from coupon_pool where store_id = ${storeId} and id = ${id} for update`.execute(tx);
    const pool = await findPool(tx, storeId, id);
    if (!pool) return undefined;
    await expectNoAutomationAssignsFrom(tx, storeId, id);
    await expectNoCampaignGivesFrom(tx, storeId, id);
    await sql`
      with deleted as (
        delete from coupon_pool where store_id = ${storeId} and id = ${id} returning store_id, id
      )
      insert into coupon_pool_deletion (store_id, pool_id, deleted_at)
      select store_id, id, now() from deleted`.execute(tx);
    return pool;
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => remove(tx))));
}

function fromRow({ counts, expires, created, updated, candidates: _, ...pool }: PoolRow): CouponPool {
  const expiresAt = expires === null ? null : new Date(expires);
  const times = { expiresAt, createdAt: new Date(created), updatedAt: new Date(updated) };
  return { ...pool, counts: counts.parse<StatusCounts>(), ...times };
}
