import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { rowById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { NOBODY } from '../../../ids/nobody.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import { readNotesAfter } from '../read-notes.ts';
import { pathsOf, typesOf } from '../rule.ts';
import type { Build } from './lock-build.ts';
import { refreshOrders } from './refresh-orders.ts';
import { writeNotes } from './write-notes.ts';

type Place = Partial<Pick<Build, 'placeType' | 'placeAt' | 'placeId'>>;

/** Events that one transaction looks at. */
const MAX_EVENTS = 500;

/** Goes on with what was there before. */
export async function build(tx: Sql, storeId: string, at: Build): Promise<void> {
  if (at.stage === 'forgetting') await forget(tx, storeId, at);
  else await read(tx, storeId, at);
}

/** Has everything that is there looked through again, as something of it was missed. */
export async function buildAgain(tx: Sql, storeId: string): Promise<void> {
  await moveTo(tx, storeId, 'reading', {});
}

/**
 * What is noted of events that are still there is noted anew; of others there is nothing else, and those of customers who were
 * erased do not say any more of which order they are.
 */
async function forget(tx: Sql, storeId: string, { placeId, placeType }: Build): Promise<void> {
  if (placeType !== null) return await forgetAlone(tx, storeId, placeType);
  const { rows } = await sql<{ eventId: string; orderId: string; isThere: boolean }>`
    select n.event_id as "eventId", n.order_id as "orderId", e.id is not null as "isThere"
    from (
      select event_id, order_id from order_note
      where store_id = ${storeId} and event_id > ${placeId ?? LOWEST_ID} and profile_id <> ${NOBODY}::uuid
      order by event_id limit ${MAX_EVENTS}
    ) n
    left join lateral ${rowById('event', storeId, 'n.event_id')} e on true
    order by n.event_id`.execute(tx);
  const there = rows.filter(({ isThere }) => isThere);
  await sql`
    delete from order_note
    where store_id = ${storeId} and event_id = any(${uuids(there.map(({ eventId }) => eventId))}::uuid[])`.execute(tx);
  await refreshOrders(
    tx,
    storeId,
    there.map(({ orderId }) => orderId),
  );
  const last = rows.length === MAX_EVENTS ? rows.at(-1) : undefined;
  if (last) await moveTo(tx, storeId, 'forgetting', { placeId: last.eventId });
  else await moveTo(tx, storeId, 'forgetting', { placeType: '' });
}

/** The same of orders that nothing is noted of, in the order of their numbers. */
async function forgetAlone(tx: Sql, storeId: string, after: string): Promise<void> {
  const { rows } = await sql<{ orderId: string; isGone: boolean }>`
    select o.order_id as "orderId", not o.is_noted and e.id is not null as "isGone"
    from (
      select * from store_order where store_id = ${storeId} and order_id > ${after} order by order_id limit ${MAX_EVENTS}
    ) o
    left join lateral ${rowById('event', storeId, 'o.event_id')} e
      on not o.is_noted and o.profile_id <> ${NOBODY}::uuid
    order by o.order_id`.execute(tx);
  await refreshOrders(
    tx,
    storeId,
    rows.flatMap(({ orderId, isGone }) => (isGone ? orderId : [])),
  );
  const last = rows.length === MAX_EVENTS ? rows.at(-1) : undefined;
  if (last) await moveTo(tx, storeId, 'forgetting', { placeType: last.orderId });
  else await moveTo(tx, storeId, 'reading', {});
}

/**
 * Reads what events of a customer say, the next after some time, by how orders are read now: what of it is noted otherwise is
 * forgotten. Returns where to go on, undefined if that was all.
 */
export async function readCustomer(
  tx: Sql,
  storeId: string,
  profileId: string,
  rule: Build,
  after: { at: Date; id: string } | undefined,
): Promise<{ at: Date; id: string } | undefined> {
  const events = await readNotesAfter(
    tx,
    storeId,
    { profileId, types: typesOf(rule) },
    after,
    MAX_EVENTS,
    pathsOf(rule),
  );
  const telling = events.filter(({ isOfStore }) => isOfStore);
  if (rule.stage === 'forgetting') await forgetEvents(tx, storeId, profileId, telling);
  await writeNotes(tx, storeId, telling, rule);
  const last = events.length === MAX_EVENTS ? events.at(-1) : undefined;
  return last && { at: new Date(last.at), id: last.id };
}

async function forgetEvents(
  tx: Sql,
  storeId: string,
  profileId: string,
  events: readonly { id: string }[],
): Promise<void> {
  const ids = uuids(events.map(({ id }) => id));
  const { rows } = await sql<{ orderId: string }>`
    delete from order_note where store_id = ${storeId} and event_id = any(${ids}::uuid[])
    returning order_id as "orderId"`.execute(tx);
  const { rows: alone } = await sql<{ orderId: string }>`
    select order_id as "orderId" from store_order
    where store_id = ${storeId} and profile_id = ${profileId} and event_id = any(${ids}::uuid[])
      and not is_noted`.execute(tx);
  await refreshOrders(
    tx,
    storeId,
    [...rows, ...alone].map(({ orderId }) => orderId),
  );
}

/** One type after the other, in the order of their names. */
async function read(tx: Sql, storeId: string, at: Build): Promise<void> {
  const { placeType, placeAt, placeId } = at;
  const types = typesOf(at).toSorted();
  const type = types.find((one) => placeType === null || one >= placeType);
  if (type === undefined) {
    await moveTo(tx, storeId, 'ready', {});
    return;
  }
  const after = type === placeType && placeAt && placeId ? { at: placeAt, id: placeId } : undefined;
  const events = await readNotesAfter(tx, storeId, { types: [type] }, after, MAX_EVENTS, pathsOf(at));
  const telling = events.filter(({ isOfStore, profileId }) => isOfStore && profileId !== NOBODY);
  await writeNotes(tx, storeId, telling, at);
  const last = events.length === MAX_EVENTS ? events.at(-1) : undefined;
  if (last) {
    await moveTo(tx, storeId, 'reading', { placeType: type, placeAt: new Date(last.at), placeId: last.id });
    return;
  }
  const next = types[types.indexOf(type) + 1];
  if (next === undefined) await moveTo(tx, storeId, 'ready', {});
  else await moveTo(tx, storeId, 'reading', { placeType: next });
}

async function moveTo(
  tx: Sql,
  storeId: string,
  stage: Build['stage'],
  { placeType = null, placeAt = null, placeId = null }: Place,
): Promise<void> {
  await sql`
    update order_settings
    set stage = ${stage}, place_type = ${placeType}, place_at = ${placeAt?.toISOString() ?? null}::timestamptz,
      place_id = ${placeId}::uuid
    where store_id = ${storeId}`.execute(tx);
}
