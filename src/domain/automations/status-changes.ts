import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { addFeedReader } from '../change-feed/feed-readers.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { AutomationStatus } from './core/machine/automation.ts';
import { Interest } from './engine/interest.ts';
import { READER } from './engine/read-changes.ts';
import { loadAutomations } from './stored/automations.ts';
import type { VersionCache } from './stored/version-cache.ts';

/** An automation's row, locked. */
export interface LockedAutomation {
  id: string;
  status: AutomationStatus;
  revision: number;
  version: number | null;
}

export interface StatusChange {
  automationId: string;
  status: Exclude<AutomationStatus, 'draft'>;
  version: number;
  /** The id of the key. */
  by: string;
}

/**
 * Changes automations in a transaction that the reader of the change feed learns of. It reads from here on at the
 * latest, so that it misses nothing that is committed afterwards.
 */
export async function changeAutomations<Result>(
  db: Sql,
  storeId: string,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  const reader = { storeId, name: READER };
  for (;;) {
    await addFeedReader(db, reader);
    const done = await retryConflicts(db, () =>
      db.transaction().execute(async (tx) => {
        // It goes when nothing is live any more, but not before this is committed. One change waits for another, so that
        // what it says is watched leaves nothing out.
        const { rows } = await sql`
          select from feed_reader where store_id = ${storeId} and name = ${READER} for no key update`.execute(tx);
        return rows.length > 0 ? { result: await work(tx) } : undefined;
      }),
    );
    if (done) return done.result;
  }
}

/** Returns undefined if the store has no such automation. */
export async function lockAutomation(tx: Sql, storeId: string, id: string): Promise<LockedAutomation | undefined> {
  const { rows } = await sql<LockedAutomation>`
    select id, status, revision, version from automation
    where store_id = ${storeId} and id = ${id}
    for update`.execute(tx);
  return rows[0];
}

/** Enters a status into the change feed: what is committed later is judged by it, and nothing that was before. */
export async function enterStatus(tx: Sql, storeId: string, change: StatusChange): Promise<void> {
  const { automationId, status, version, by } = change;
  const id = newId();
  await sql`
    with entered as (
      insert into addition (store_id, first_id, last_id, kind, ids)
      values (${storeId}, ${id}, ${id}, 'automation_status', ${uuids([id])}::uuid[])
    )
    insert into automation_status (store_id, id, automation_id, status, version, changed_at, changed_by)
    values (${storeId}, ${id}, ${automationId}, ${status}, ${version}, now(), ${by})`.execute(tx);
}

/** Has changes written down of just those attributes that some automation waits for. */
export async function watchAttributes(tx: Sql, storeId: string, versions: VersionCache): Promise<void> {
  const automations = await loadAutomations(tx, storeId, versions);
  const names = new Interest(automations).attributes.sort();
  await sql`
    insert into automation_watch (store_id, names) values (${storeId}, ${texts(names)}::text[])
    on conflict (store_id) do update set names = excluded.names
    where automation_watch.names <> excluded.names`.execute(tx);
}
