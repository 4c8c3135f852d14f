import { sql } from 'kysely';
import type { Sql } from '../db/sql.ts';
import type { Actor } from './caller.ts';
import { invalid } from './service-error.ts';

/** Whether, and why, all that a store sends by itself waits. */
export interface StoreHold {
  reason: 'restored' | 'paused';
  heldAt: Date;
  /** Null where nobody has, as after a restore. */
  by: Pick<Actor, 'kind' | 'id'> | null;
}

interface Row {
  reason: StoreHold['reason'];
  held: number;
  byKind: Actor['kind'] | null;
  by: string | null;
}

const COLUMNS = sql`
  reason, (extract(epoch from held_at) * 1000)::float8 as held, held_by_kind as "byKind", held_by as "by"`;

/** Returns why a store is held; undefined if it is not. */
export async function readHold(db: Sql, storeId: string): Promise<StoreHold | undefined> {
  const { rows } = await sql<Row>`select ${COLUMNS} from automation_hold where store_id = ${storeId}`.execute(db);
  return rows[0] && toHold(rows[0]);
}

/** Whether a store is held, for whatever reason. */
export async function isHeld(db: Sql, storeId: string): Promise<boolean> {
  return (await readHold(db, storeId)) !== undefined;
}

/** Holds a store, and returns how: as it is already, if it is. */
export async function pauseStore(db: Sql, storeId: string, actor: Actor): Promise<StoreHold | undefined> {
  const { rows } = await sql<Row>`
    insert into automation_hold (store_id, held_at, reason, held_by_kind, held_by)
    values (${storeId}, now(), 'paused', ${actor.kind}, ${actor.id})
    on conflict (store_id) do nothing
    returning ${COLUMNS}`.execute(db);
  return rows[0] ? toHold(rows[0]) : await readHold(db, storeId);
}

/** Lets go on what somebody has paused. Throws `validation_error` for what was restored, which the operator releases. */
export async function resumeStore(db: Sql, storeId: string): Promise<void> {
  await sql`delete from automation_hold where store_id = ${storeId} and reason = 'paused'`.execute(db);
  if ((await readHold(db, storeId))?.reason !== 'restored') return;
  throw invalid({
    path: ['is_held'],
    problem: 'must stay true: the store was restored from a backup, and only the operator lets it go on',
  });
}

/** Lets a store go on, as the operator: whatever holds it, or only if that is the `reason`. Returns whether it was held so. */
export async function release(db: Sql, storeId: string, reason?: StoreHold['reason']): Promise<boolean> {
  const { rows } = await sql`
    delete from automation_hold
    where store_id = ${storeId} and (${reason ?? null}::text is null or reason = ${reason ?? null})
    returning 1`.execute(db);
  return rows.length > 0;
}

function toHold({ reason, held, byKind, by }: Row): StoreHold {
  return { reason, heldAt: new Date(held), by: byKind && by ? { kind: byKind, id: by } : null };
}
