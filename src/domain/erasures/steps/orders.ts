import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { NOBODY } from '../../../ids/nobody.ts';
import { ERASED_PREFIX } from '../../orders/order-text.ts';
import { readCustomer } from '../../orders/reader/build.ts';
import { lockOrders } from '../../orders/reader/lock-build.ts';
import { refreshOrders } from '../../orders/reader/refresh-orders.ts';
import { changeSums, SUMMED, type SummedOrder } from '../../orders/reader/sums.ts';
import { noteAlone } from '../../orders/reader/write-notes.ts';
import { BATCH, type Step, type Swept } from '../../sweeps/step.ts';
import type { Erasing } from '../erasure.ts';

/** What becomes of the number of an order: a name that no other order has, as each has events of its own. */
const nameless = (eventId: string) => sql`${sql.lit(ERASED_PREFIX)} || ${sql.ref(eventId)}::text`;

/**
 * Orders stay as nobody's, under a name by their event instead of the number of the order; or go with what is noted of them.
 * Before they are nobody's, all is read that the customer's events say of orders: nobody can read it later.
 */
export const sweepOrders: Step<Erasing> = async (tx, erasing, after, tools) => {
  const { storeId, profileId, events } = erasing;
  const build = await lockOrders(tx, storeId);
  if (events === 'delete') return await deleteOrders(tx, erasing, after, tools);
  if (after === ALL_READ || !build) return await nameNobody(tx, storeId, profileId);
  const [at, id] = after.split(' ');
  const place = at && id ? { at: new Date(at), id } : undefined;
  const next = await readCustomer(tx, storeId, profileId, build, place);
  return { counts: {}, next: next ? `${next.at.toISOString()} ${next.id}` : ALL_READ };
};

const ALL_READ = 'all is read';

async function nameNobody(tx: Sql, storeId: string, profileId: string): Promise<Swept> {
  const theirs = sql`select ctid from store_order where store_id = ${storeId} and profile_id = ${profileId} limit ${BATCH}`;
  await noteAlone(tx, storeId, theirs);
  const shared = await leaveShared(tx, storeId, profileId);
  const { rows } = await sql<SummedOrder>`
    with theirs as (
      select order_id, event_id from store_order
      where store_id = ${storeId} and profile_id = ${profileId} and is_noted limit ${BATCH}
    ), noted as (
      update order_note n set order_id = ${nameless('t.event_id')}
      from theirs t where n.store_id = ${storeId} and n.order_id = t.order_id
    )
    update store_order o set profile_id = ${NOBODY}::uuid, order_id = ${nameless('t.event_id')}
    from theirs t where o.store_id = ${storeId} and o.order_id = t.order_id
    returning ${SUMMED}`.execute(tx);
  await changeSums(tx, storeId, { less: rows.map((row) => ({ ...row, profileId })), more: rows });
  return { counts: { store_order: rows.length }, next: Math.max(shared, rows.length) >= BATCH ? ALL_READ : null };
}

/** An order that others tell of, too, is theirs, under its number. Returns how many notes of such are nobody's now. */
async function leaveShared(tx: Sql, storeId: string, profileId: string): Promise<number> {
  const { rows } = await sql<{ orderId: string }>`
    with theirs as materialized (
      select order_id from store_order
      where store_id = ${storeId} and profile_id = ${profileId} and is_noted limit ${BATCH}
    ), shared as materialized (
      select t.order_id from theirs t
      cross join lateral (
        select from order_note
        where store_id = ${storeId} and ${exactly('order_id', 't.order_id')} and kind = 'placed'
          and profile_id not in (${profileId}::uuid, ${NOBODY}::uuid)
        order by order_id limit 1
      ) o
    ), own as materialized (
      select n.place, s.order_id from shared s
      cross join lateral (
        select ctid as place from order_note
        where store_id = ${storeId} and ${exactly('order_id', 's.order_id')} and kind = 'placed' and profile_id = ${profileId}
        order by order_id limit ${BATCH}
      ) n
    )
    update order_note set profile_id = ${NOBODY}::uuid
    where store_id = ${storeId} and ctid = any(array(select place from own))
    returning order_id as "orderId"`.execute(tx);
  await refreshOrders(
    tx,
    storeId,
    rows.map(({ orderId }) => orderId),
  );
  return rows.length;
}

/** Out of the sums, too. */
const deleteOrders: Step<Erasing> = async (tx, { storeId, profileId }) => {
  const { rows } = await sql<{ orderId: string; isNoted: boolean }>`
    select order_id as "orderId", is_noted as "isNoted" from store_order
    where store_id = ${storeId} and profile_id = ${profileId} limit ${BATCH}`.execute(tx);
  const ids = rows.map(({ orderId }) => orderId);
  const { rows: notes } = await sql`
    delete from order_note
    where store_id = ${storeId} and order_id = any(${texts(ids)}::text[]) and profile_id = ${profileId}
    returning 1`.execute(tx);
  await refreshOrders(tx, storeId, ids);
  const counts = { store_order: ids.length, order_note: notes.length };
  const isLess = notes.length > 0 || rows.some(({ isNoted }) => !isNoted);
  return { counts, next: ids.length === BATCH && isLess ? 'more' : null };
};

/** What is noted of orders goes with the events, out of the sums, too; or is nobody's, also of an order that nobody knows. */
export const sweepOrderNotes: Step<Erasing> = async (tx, { storeId, profileId, events }) => {
  await lockOrders(tx, storeId);
  const theirs = sql`array(
    select ctid from order_note where store_id = ${storeId} and profile_id = ${profileId} limit ${BATCH})`;
  const { rows } =
    events === 'delete'
      ? await sql<{ orderId: string }>`
          delete from order_note where store_id = ${storeId} and ctid = any(${theirs})
          returning order_id as "orderId"`.execute(tx)
      : await sql<{ orderId: string }>`
          update order_note n set profile_id = ${NOBODY}::uuid, order_id = case
            when exists (
              select from store_order o where o.store_id = ${storeId} and o.order_id = n.order_id limit 1) then n.order_id
            else ${nameless('n.event_id')} end
          where store_id = ${storeId} and ctid = any(${theirs})
          returning order_id as "orderId"`.execute(tx);
  if (events === 'delete') {
    await refreshOrders(
      tx,
      storeId,
      rows.map(({ orderId }) => orderId),
    );
  }
  return { counts: { order_note: rows.length }, next: rows.length === BATCH ? 'more' : null };
};
