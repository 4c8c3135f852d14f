import { sql } from 'kysely';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { insertProfileUpdates } from '../profile-updates.ts';
import type { Sql } from '../sql.ts';

/** Profiles that are looked at at once. */
const BATCH = 500;

interface Row {
  id: string;
  /** Milliseconds of Unix time. */
  updated: number;
  isEntered: boolean;
}

/**
 * Enters the profiles of a store that are in no entry of the time of their latest change. What changes meanwhile is entered
 * by those who change it.
 */
export async function fillProfileUpdates(db: Sql, storeId: string, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
    signal.throwIfAborted();
    const read: Row[] = await readBatch(db, storeId, after);
    const missing = read.filter(({ isEntered }) => !isEntered);
    const updates = missing.map(({ id, updated }) => ({ id, updatedAt: new Date(updated) }));
    if (updates.length > 0) await sql`${insertProfileUpdates(storeId, updates)}`.execute(db);
    after = read.at(-1)?.id;
  }
}

async function readBatch(db: Sql, storeId: string, after: string): Promise<Row[]> {
  // With a limit it is looked up for each profile.
  const { rows } = await sql<Row>`
    select id, (extract(epoch from updated_at) * 1000)::float8 as updated, (
      select true from profile_update u
      where u.store_id = ${storeId} and u.updated_at = p.updated_at and p.id = any(u.profile_ids)
      limit 1
    ) is true as "isEntered"
    from profile p
    where store_id = ${storeId} and id > ${after}
    order by id
    limit ${BATCH}`.execute(db);
  return rows;
}
