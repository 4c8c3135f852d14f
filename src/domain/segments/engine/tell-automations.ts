import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { Cause } from './origin.ts';

/** Of changes that start automations: what a customer has done, what was done to them, and time. */
export const STARTING: ReadonlySet<Cause> = new Set<Cause>(['event', 'profile', 'list', 'consent', 'time']);

/**
 * Enters changes of a segment into the change feed if an automation of the store may start with them. Whoever publishes
 * one has the segments to themselves meanwhile, so that this sees it if it was published before.
 */
export async function tellAutomations(
  tx: Sql,
  storeId: string,
  segmentId: string,
  changes: readonly { id: string; cause: Cause }[],
): Promise<void> {
  const ids = changes.filter(({ cause }) => STARTING.has(cause)).map(({ id }) => id);
  if (ids.length === 0) return;
  const first = ids.reduce((least, id) => (id < least ? id : least), HIGHEST_ID);
  const last = ids.reduce((most, id) => (id > most ? id : most), LOWEST_ID);
  await sql`
    insert into addition (store_id, first_id, last_id, kind, ids)
    select ${storeId}::uuid, ${first}::uuid, ${last}::uuid, 'segment_change', ${uuids(ids)}::uuid[]
    where exists (
      select from automation
      where store_id = ${storeId} and segment_id = ${segmentId} and status in ('live', 'paused', 'draining')
    )`.execute(tx);
}
