import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { BATCH, type Step, type Table } from '../sweeps/step.ts';
import type { Merging } from './merge.ts';

/** Moves those rows of a table that name the customer by `profile_id`, which an index begins with. */
export function move(table: Table): Step<Merging> {
  return moveWhere(table, () => sql`true`);
}

/** The same where the index begins with something else that the store has few of. */
export function moveWithin(table: Table, column: string, owner: Table): Step<Merging> {
  return moveWhere(
    table,
    ({ storeId }) =>
      sql`${sql.ref(column)} = any(array(select id from ${sql.table(owner)} where store_id = ${storeId}))`,
  );
}

function moveWhere(table: Table, condition: (merging: Merging) => ReturnType<typeof sql>): Step<Merging> {
  return async (tx, merging) => {
    const { storeId, profileId, winnerId } = merging;
    const { rows } = await sql<{ moved: number }>`
      with moved as (
        update ${sql.table(table)} set profile_id = ${winnerId}
        where store_id = ${storeId} and ctid = any(array(
          select ctid from ${sql.table(table)}
          where store_id = ${storeId} and profile_id = ${profileId} and ${condition(merging)} limit ${BATCH}))
        returning 1
      )
      select count(*)::int as moved from moved`.execute(tx);
    const moved = rows[0]?.moved ?? 0;
    return { counts: { [table]: moved }, next: moved === BATCH ? 'more' : null };
  };
}

/** Moves some codes, and returns how many. Of two of a pool, the second one stays given out, and is its own holder. */
export async function moveCodes(tx: Sql, { storeId, profileId, winnerId }: Merging): Promise<number> {
  const { rows } = await sql`
    update coupon_code c
    set profile_id = ${winnerId}, holder = case
      when c.holder is distinct from ${profileId}::uuid then c.holder
      when exists (
        select from coupon_code o
        where o.store_id = ${storeId} and o.pool_id = c.pool_id and o.holder = ${winnerId} limit 1) then c.id
      else ${winnerId}::uuid end
    where store_id = ${storeId} and ctid = any(array(
      select ctid from coupon_code where store_id = ${storeId} and profile_id = ${profileId} limit ${BATCH}))
    returning 1`.execute(tx);
  return rows.length;
}

export const moveCoupons: Step<Merging> = async (tx, merging) => {
  const moved = await moveCodes(tx, merging);
  return { counts: { coupon_code: moved }, next: moved === BATCH ? 'more' : null };
};

/** Adds up what both did with the same items. */
export const addActivity: Step<Merging> = async (tx, { storeId, profileId, winnerId }) => {
  const { rows } = await sql`
    with gone as (
      delete from item_activity
      where store_id = ${storeId} and ctid = any(array(
        select ctid from item_activity where store_id = ${storeId} and profile_id = ${profileId} limit ${BATCH}))
      returning *
    )
    insert into item_activity as a (store_id, profile_id, kind, item_id, times, first_at, last_at)
    select ${storeId}::uuid, ${winnerId}::uuid, kind, item_id, times, first_at, last_at
    from gone order by kind, item_id
    on conflict (store_id, profile_id, kind, item_id) do update set
      times = least(2147483647, a.times::bigint + excluded.times), first_at = least(a.first_at, excluded.first_at),
      last_at = greatest(a.last_at, excluded.last_at)
    returning 1`.execute(tx);
  return { counts: { item_activity: rows.length }, next: rows.length === BATCH ? 'more' : null };
};

/** Of two to the same, the one stays that was there first; a customer who waits by either waits. */
export const moveSubscriptions: Step<Merging> = async (tx, { storeId, profileId, winnerId }) => {
  const { rows } = await sql`
    with gone as (
      delete from catalog_subscription
      where store_id = ${storeId} and ctid = any(array(
        select ctid from catalog_subscription where store_id = ${storeId} and profile_id = ${profileId} limit ${BATCH}))
      returning *
    )
    insert into catalog_subscription as s (
      store_id, id, item_id, variant_id, kind, profile_id, below, currency, from_client, created_at, notified_at)
    select ${storeId}::uuid, id, item_id, variant_id, kind, ${winnerId}::uuid, below, currency, from_client, created_at,
      notified_at
    from gone order by item_id, kind, variant_id
    on conflict (store_id, item_id, kind, profile_id, variant_id) do update set
      created_at = least(s.created_at, excluded.created_at), from_client = s.from_client and excluded.from_client,
      notified_at = case
        when s.notified_at is not null and excluded.notified_at is not null
          then greatest(s.notified_at, excluded.notified_at)
      end
    returning 1`.execute(tx);
  return { counts: { catalog_subscription: rows.length }, next: rows.length === BATCH ? 'more' : null };
};

/** Moves identifiers that a check of spellings has added for whom it had just read. */
export const moveIdentifiers: Step<Merging> = async (tx, { storeId, profileId, winnerId }) => {
  const { rows } = await sql`
    update profile_identifier set profile_id = ${winnerId}
    where store_id = ${storeId} and profile_id = ${profileId} and profile_id > ${sql.lit(LOWEST_ID)}
    returning 1`.execute(tx);
  return { counts: { profile_identifier: rows.length }, next: null };
};
