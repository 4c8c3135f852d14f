import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { Change } from './apply.ts';

/** Enters changes of a segment's members into the change feed, for automations and streams. */
export async function enterChanges(tx: Sql, storeId: string, changes: readonly Change[]): Promise<void> {
  const ids = changes.map(({ id }) => id);
  const first = ids.reduce((least, id) => (id < least ? id : least), HIGHEST_ID);
  const last = ids.reduce((most, id) => (id > most ? id : most), LOWEST_ID);
  await sql`
    insert into addition (store_id, first_id, last_id, kind, ids)
    values (${storeId}, ${first}, ${last}, 'segment_change', ${uuids(ids)}::uuid[])`.execute(tx);
}
