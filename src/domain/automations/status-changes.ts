import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { enter } from '../feed/entries.ts';
import { withReader } from '../feed/readers.ts';
import { ServiceError } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { AutomationStatus } from './core/machine/automation.ts';
import { OLDEST_OF_INTEREST, ofInterest, READER } from './stored/automations.ts';

/** Automations of one store that may be live or paused at a time. */
const MAX_LIVE = 100;

/** An automation's row, locked. */
export interface LockedAutomation {
  id: string;
  status: AutomationStatus;
  revision: number;
  version: number | null;
  /** The revision of which that version was made. */
  publishedRevision: number | null;
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
 * latest, so that it misses nothing that is committed afterwards. Neither what it does meanwhile nor any run is waited
 * for: whoever stops an automation that does harm has to be able to, however much it does.
 */
export async function changeAutomations<Result>(
  db: Sql,
  storeId: string,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  const lock = (tx: Sql) => lockAutomations(tx, storeId);
  return await retryConflicts(db, () => withReader(db, { storeId, name: READER }, lock, work));
}

/**
 * Lets nobody else change which automations of the store there are, and what they wait for, until the transaction ends:
 * what one of them counts or gathers would lack what the other adds.
 */
export async function lockAutomations(tx: Sql, storeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.automations ${storeId}`}, 0))`.execute(tx);
}

/** Whether automations with a status count as live. */
export function takesRoom(status: AutomationStatus): boolean {
  return status === 'live' || status === 'paused';
}

/** Throws `validation_error` if the store has no room for one more live automation. */
export async function expectRoom(tx: Sql, storeId: string): Promise<void> {
  const { rows } = await sql<{ live: number }>`
    select count(*)::int as live from automation
    where store_id = ${storeId} and status in ('live', 'paused')`.execute(tx);
  if ((rows[0]?.live ?? 0) < MAX_LIVE) return;
  const message = `The store already has ${MAX_LIVE} automations that are live or paused; drain or archive one first`;
  throw new ServiceError('validation_error', message);
}

/** Returns undefined if the store has no such automation. */
export async function lockAutomation(tx: Sql, storeId: string, id: string): Promise<LockedAutomation | undefined> {
  const { rows } = await sql<LockedAutomation>`
    select id, status, revision, version, published_revision as "publishedRevision" from automation
    where store_id = ${storeId} and id = ${id}
    for update`.execute(tx);
  return rows[0];
}

/** Enters a status into the change feed: what is committed later is judged by it, and nothing that was before. */
export async function enterStatus(tx: Sql, storeId: string, change: StatusChange): Promise<void> {
  const { automationId, status, version, by } = change;
  const id = newId();
  await sql`
    with entered as (${enter(storeId, 'automation_status', [{ id }])})
    insert into automation_status (store_id, id, automation_id, status, version, changed_at, changed_by)
    values (${storeId}, ${id}, ${automationId}, ${status}, ${version}, now(), ${by})`.execute(tx);
}

/** Has changes written down of just those attributes that some automation waits for. */
export async function watchAttributes(tx: Sql, storeId: string): Promise<void> {
  await sql`
    insert into automation_watch (store_id, names)
    select ${storeId}::uuid, array(
      select distinct watched.name
      from ${ofInterest(storeId)} a
      join automation_version v
        on v.store_id = a.store_id and v.automation_id = a.id and v.number between ${OLDEST_OF_INTEREST} and a.version
      cross join unnest(v.watched) as watched (name)
      where v.store_id = ${storeId}
      order by 1
    )
    on conflict (store_id) do update set names = excluded.names
    where automation_watch.names <> excluded.names`.execute(tx);
}
