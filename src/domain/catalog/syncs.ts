import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { rowExactly } from '../../db/rows.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { always, type Once } from '../kept-answers.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { lockItems } from './write/lock.ts';
import { write } from './write/write-items.ts';

/** A load of the whole catalog by requests. */
export interface CatalogSync {
  id: string;
  status: 'open' | 'hiding' | 'complete';
  /** Items that it has hidden. */
  hidden: number;
  createdAt: Date;
  /** When everything had come; null before. */
  endedAt: Date | null;
}

/** Items that are looked at in one transaction, and milliseconds after which a request begins no other. */
const [AT_ONCE, LONGEST_MS] = [1_000, 1_000];

interface Row {
  id: string;
  status: CatalogSync['status'];
  hidden: number;
  reached: string;
  created: number;
  ended: number | null;
}

const COLUMNS = sql`
  id, status, hidden, reached, (extract(epoch from created_at) * 1000)::float8 as created,
  (extract(epoch from ended_at) * 1000)::float8 as ended`;

function fromRow({ id, status, hidden, created, ended }: Row): CatalogSync {
  return { id, status, hidden, createdAt: new Date(created), endedAt: ended === null ? null : new Date(ended) };
}

/** Begins a load; others of the store that are not complete are given up. */
export async function startSync(db: Sql, storeId: string, once: Once<CatalogSync> = always): Promise<CatalogSync> {
  return await retryConflicts(db, () =>
    db.transaction().execute((tx) =>
      once(tx, async () => {
        await sql`
          with given_up as (
            delete from catalog_sync where store_id = ${storeId} and status <> 'complete' returning id
          )
          delete from catalog_sync_item where store_id = ${storeId} and sync_id in (select id from given_up)`.execute(
          tx,
        );
        const { rows } = await sql<Row>`
          insert into catalog_sync (store_id, id, status, created_at)
          values (${storeId}, ${newId()}, 'open', now())
          returning ${COLUMNS}`.execute(tx);
        return fromRow(rows[0] as Row);
      }),
    ),
  );
}

/** Ends a load, and hides what did not come with it, for about a second. Undefined if there is none. */
export async function completeSync(db: Sql, storeId: string, id: string): Promise<CatalogSync | undefined> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    const sync = await retryConflicts(db, () => db.transaction().execute((tx) => hideSome(tx, storeId, id)));
    if (sync?.status !== 'hiding' || performance.now() > until) return sync;
  }
}

/** Hides some items, from where the load is, until there are no more. */
async function hideSome(tx: Sql, storeId: string, id: string): Promise<CatalogSync | undefined> {
  const { rows: found } = await sql<Row>`
    update catalog_sync
    set status = case status when 'complete' then status else 'hiding' end, ended_at = coalesce(ended_at, now())
    where store_id = ${storeId} and id = ${id}
    returning ${COLUMNS}`.execute(tx);
  const [sync] = found;
  if (!sync || sync.status === 'complete') return sync && fromRow(sync);
  const { rows: items } = await sql<{ id: string }>`
    select id from catalog_item where store_id = ${storeId} and id > ${sync.reached} order by id limit ${AT_ONCE}`.execute(
    tx,
  );
  const missing = await findMissing(
    tx,
    storeId,
    id,
    items.map((item) => item.id),
  );
  await write(
    tx,
    storeId,
    missing.map((itemId) => ({ id: itemId, fields: { status: 'hidden', hidden_because: 'not_in_feed' } })),
    {},
  );
  const isOver = items.length < AT_ONCE;
  const { rows } = await sql<Row>`
    update catalog_sync
    set status = ${isOver ? 'complete' : 'hiding'}, reached = ${items.at(-1)?.id ?? sync.reached},
      hidden = hidden + ${missing.length}::int
    where store_id = ${storeId} and id = ${id}
    returning ${COLUMNS}`.execute(tx);
  if (isOver) await sql`delete from catalog_sync_item where store_id = ${storeId} and sync_id = ${id}`.execute(tx);
  return fromRow(rows[0] as Row);
}

/** Locks items, and returns those of them that a load is to hide. */
async function findMissing(tx: Sql, storeId: string, syncId: string, ids: readonly string[]): Promise<string[]> {
  const there = await lockItems(tx, storeId, ids);
  const { rows } = await sql<{ id: string }>`
    select i.id
    from unnest(${texts([...there])}::text[]) as w (id)
    cross join lateral ${rowExactly('catalog_item', storeId, 'w.id')} i
    where i.status = 'published' and i.feed_id is null
      and i.updated_at <= (select ended_at from catalog_sync where store_id = ${storeId} and id = ${syncId})
      and not exists (
        select from catalog_sync_item where store_id = ${storeId} and sync_id = ${syncId} and item_id = i.id
      )`.execute(tx);
  return rows.map(({ id }) => id);
}
