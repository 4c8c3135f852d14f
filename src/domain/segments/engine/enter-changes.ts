import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../../ids/uuid-v7.ts';

/** Enters changes of segments' members, by their ids, into the change feed: for automations and streams. */
export async function enterChanges(tx: Sql, storeId: string, ids: readonly string[]): Promise<void> {
  const first = ids.reduce((least, id) => (id < least ? id : least), HIGHEST_ID);
  const last = ids.reduce((most, id) => (id > most ? id : most), LOWEST_ID);
  await sql`
    insert into addition (store_id, first_id, last_id, kind, ids)
    values (${storeId}, ${first}, ${last}, 'segment_change', ${uuids(ids)}::uuid[])`.execute(tx);
}
