import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { always, type Once } from '../../kept-answers.ts';
import { invalid, ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { CODE_COLUMNS, type CodeRow, type CouponCode, codeFromRow } from './codes.ts';
import { countCodes } from './counts.ts';

/** Who is to get a code: a customer, in a run perhaps. */
export interface Recipient {
  poolId: string;
  profileId: string;
  /** Null for who asks by the API, and of a campaign. */
  runId: string | null;
  /** In place of a run, the message that shows it. */
  messageId?: string;
}

export interface Assigned {
  code: CouponCode;
  /** When its pool expires; null if it does not. */
  expiresAt: Date | null;
  /** Whether it was theirs before. */
  isKnown: boolean;
}

/** Why somebody gets none. */
export type NoCode = 'empty' | 'expired' | 'no_pool';

/** A recipient, and who has no second code of the pool: the customer, or the run. */
type Holding = Recipient & { holder: string };

/**
 * Gives each recipient a code, in the caller's transaction: the one that they have already, or the first that is free. No
 * code is given to two, and nobody gets two from one pool, whoever else asks at the same time.
 */
export async function assignCodes(
  tx: Sql,
  storeId: string,
  recipients: readonly Recipient[],
): Promise<(Assigned | NoCode)[]> {
  if (recipients.length === 0) return [];
  const pools = await holdPools(tx, storeId, recipients);
  const asked = recipients.map((recipient): Holding | NoCode => {
    const pool = pools.get(recipient.poolId.toLowerCase());
    if (!pool) return 'no_pool';
    if (pool.isExpired) return 'expired';
    const holder = pool.per === 'customer' ? recipient.profileId : (recipient.runId ?? recipient.messageId ?? newId());
    return { ...recipient, poolId: pool.id, holder };
  });
  const holdings = new Map(asked.flatMap((one) => (typeof one === 'string' ? [] : [[keyOf(one), one]])));
  await lockHolders(tx, storeId, [...holdings.keys()]);
  const known = await readOwn(tx, storeId, [...holdings.values()]);
  const without = [...holdings.values()].filter((holding) => !known.has(keyOf(holding)));
  const given = new Map<string, CouponCode>();
  for (const [poolId, all] of Map.groupBy(without, (holding) => holding.poolId)) {
    for (const [key, code] of await giveOut(tx, storeId, poolId, all)) given.set(key, code);
  }
  const changes = [...given.values()].map(({ poolId }) => ({ poolId, status: 'assigned', count: 1 }) as const);
  await countCodes(tx, storeId, changes);
  return asked.map((one) => {
    if (typeof one === 'string') return one;
    const own = known.get(keyOf(one));
    const code = own ?? given.get(keyOf(one));
    if (!code) return 'empty';
    return { code, expiresAt: pools.get(one.poolId)?.expiresAt ?? null, isKnown: own !== undefined };
  });
}

const keyOf = ({ poolId, holder }: { poolId: string; holder: string }) => `${poolId} ${holder}`;

interface Pool {
  id: string;
  per: 'customer' | 'run';
  expiresAt: Date | null;
  isExpired: boolean;
}

/** Reads the pools, none of which is deleted before the transaction ends. */
async function holdPools(tx: Sql, storeId: string, recipients: readonly Recipient[]): Promise<Map<string, Pool>> {
  const ids = [...new Set(recipients.map(({ poolId }) => poolId.toLowerCase()))];
  const { rows } = await sql<Omit<Pool, 'expiresAt'> & { expires: number | null }>`
    select id, per, (extract(epoch from expires_at) * 1000)::float8 as expires,
      coalesce(expires_at <= now(), false) as "isExpired"
    from coupon_pool
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    order by id
    for key share`.execute(tx);
  return new Map(
    rows.map(({ expires, ...pool }) => [pool.id, { ...pool, expiresAt: expires === null ? null : new Date(expires) }]),
  );
}

/** Whoever asks twice at the same time is answered one after the other; in an order, so that no two wait for each other. */
async function lockHolders(tx: Sql, storeId: string, keys: readonly string[]): Promise<void> {
  const places = keys.map((key) => `footfall.coupon ${storeId} ${key}`).sort();
  await sql`
    select pg_advisory_xact_lock(hashtextextended(place, 0))
    from unnest(${texts(places)}::text[]) with ordinality as held (place, number)
    order by number`.execute(tx);
}

/** Returns the codes that recipients have already. */
async function readOwn(tx: Sql, storeId: string, holdings: readonly Holding[]): Promise<Map<string, CouponCode>> {
  const { rows } = await sql<CodeRow & { holder: string }>`
    select ${CODE_COLUMNS}, c.holder
    from unnest(
      ${uuids(holdings.map(({ poolId }) => poolId))}::uuid[],
      ${uuids(holdings.map(({ holder }) => holder))}::uuid[]) as asked (pool_id, holder)
    join coupon_code c on c.store_id = ${storeId} and c.pool_id = asked.pool_id and c.holder = asked.holder`.execute(
    tx,
  );
  return new Map(rows.map(({ holder, ...row }) => [keyOf({ ...row, holder }), codeFromRow(row)]));
}

/** Gives out free codes of a pool; whoever comes when none is left gets none. */
async function giveOut(
  tx: Sql,
  storeId: string,
  poolId: string,
  holdings: readonly Holding[],
): Promise<Map<string, CouponCode>> {
  const given = new Map<string, CouponCode>();
  let left = holdings;
  const give = async (manner: RawBuilder<unknown>) => {
    const codes = await lockFree(tx, storeId, poolId, left.length, manner);
    for (const [key, code] of await write(tx, storeId, poolId, left.slice(0, codes.length), codes))
      given.set(key, code);
    left = left.slice(codes.length);
  };
  await give(sql`skip locked`);
  while (left.length > 0 && (await hasFree(tx, storeId, poolId))) {
    // Those that others hold are free again if they fail, so they are waited for.
    await give(sql``);
  }
  return given;
}

async function lockFree(
  tx: Sql,
  storeId: string,
  poolId: string,
  limit: number,
  manner: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select code from coupon_code
    where store_id = ${storeId} and pool_id = ${poolId} and status = 'free'
    order by id
    limit ${limit}
    for update ${manner}`.execute(tx);
  return rows.map(({ code }) => code);
}

async function hasFree(tx: Sql, storeId: string, poolId: string): Promise<boolean> {
  const { rows } = await sql`
    select from coupon_code where store_id = ${storeId} and pool_id = ${poolId} and status = 'free' limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

async function write(
  tx: Sql,
  storeId: string,
  poolId: string,
  holdings: readonly Holding[],
  codes: readonly string[],
): Promise<Map<string, CouponCode>> {
  if (codes.length === 0) return new Map();
  const { rows } = await sql<CodeRow & { holder: string }>`
    update coupon_code c
    set status = 'assigned', holder = g.holder, profile_id = g.profile_id, run_id = g.run_id::uuid, assigned_at = now()
    from unnest(
      ${texts(codes)}::text[],
      ${uuids(holdings.map(({ holder }) => holder))}::uuid[],
      ${uuids(holdings.map(({ profileId }) => profileId))}::uuid[],
      ${texts(holdings.map(({ runId }) => runId))}::text[]) as g (code, holder, profile_id, run_id)
    where c.store_id = ${storeId} and c.pool_id = ${poolId} and c.code = g.code
    returning ${CODE_COLUMNS}, c.holder`.execute(tx);
  return new Map(rows.map(({ holder, ...row }) => [keyOf({ poolId, holder }), codeFromRow(row)]));
}

/**
 * Gives a customer a code. Undefined if the store has no such pool; throws `validation_error` if it has expired or has no
 * free code, and if the store has no such customer.
 */
export async function assignCode(
  db: Sql,
  storeId: string,
  { poolId, profileId }: Pick<Recipient, 'poolId' | 'profileId'>,
  once: Once<Assigned | undefined> = always,
): Promise<Assigned | undefined> {
  const assign = async (tx: Sql) => {
    const { rows } = await sql`select from profile where store_id = ${storeId} and id = ${profileId}`.execute(tx);
    const [answer] = await assignCodes(tx, storeId, [{ poolId, profileId, runId: null }]);
    if (answer === 'no_pool') return undefined;
    if (rows.length === 0) throw invalid({ path: ['profile_id'], problem: 'is not the id of a profile' });
    if (answer === 'expired') throw new ServiceError('validation_error', 'The pool has expired');
    if (answer === 'empty') throw new ServiceError('validation_error', 'The pool has no free code; add some first');
    return answer;
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => assign(tx))));
}
