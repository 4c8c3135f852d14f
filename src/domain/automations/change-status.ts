import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { invalid } from '../service-error.ts';
import { expectScopesToPublish } from './access/scopes.ts';
import { type CheckedAutomation, findChecked } from './checked-automation.ts';
import type { Definition } from './core/definition/definition.ts';
import type { AutomationStatus } from './core/machine/automation.ts';
import { planSchedule } from './plan-schedule.ts';
import {
  changeAutomations,
  enterStatus,
  expectRoom,
  type LockedAutomation,
  lockAutomation,
  takesRoom,
  watchAttributes,
} from './status-changes.ts';
import { deletePlanned } from './stored/occurrences.ts';
import { definitionsInUse, findVersion } from './versions.ts';

export interface NewStatus {
  id: string;
  status: Exclude<AutomationStatus, 'draft'>;
  /** What becomes of runs that were due while it was paused, and over how long they are spread. */
  overdue: 'run' | 'exit';
  spreadMs: number;
  /** The time zone of the store; null if it has none. */
  storeZone?: string | null;
}

/**
 * Pauses, resumes, drains or archives an automation; the status that it has already changes nothing. Returns undefined
 * if the store has no such automation; throws `validation_error` if it can't have that status, and `forbidden` if it does
 * more by it than the caller could publish.
 */
export async function changeStatus(db: Sql, caller: Caller, change: NewStatus): Promise<CheckedAutomation | undefined> {
  const { storeId, actor } = caller;
  const { id, status } = change;
  return await changeAutomations(db, storeId, async (tx) => {
    const automation = await lockAutomation(tx, storeId, id);
    if (!automation) return undefined;
    if (automation.status !== status) {
      const { version } = automation;
      expectPossible(automation, status);
      if (doesMore(status, automation.status)) {
        for (const definition of await definitionsInUse(tx, storeId, id)) expectScopesToPublish(caller, definition);
      }
      if (takesRoom(status) && !takesRoom(automation.status)) await expectRoom(tx, storeId);
      if (version !== null) await enterStatus(tx, storeId, { automationId: id, status, version, by: actor.id });
      await storeStatus(tx, storeId, automation, change);
      await followSchedule(tx, storeId, automation, change);
      await watchAttributes(tx, storeId);
    }
    return await findChecked(tx, storeId, id);
  });
}

/** From the one that does the least. */
const BY_WHAT_THEY_DO: readonly AutomationStatus[] = ['draft', 'archived', 'paused', 'draining', 'live'];

function doesMore(status: AutomationStatus, than: AutomationStatus): boolean {
  return than !== 'draft' && BY_WHAT_THEY_DO.indexOf(status) > BY_WHAT_THEY_DO.indexOf(than);
}

function expectPossible(automation: LockedAutomation, status: AutomationStatus): void {
  if (automation.status === 'archived') throw invalid({ path: ['status'], problem: 'must stay archived' });
  if (automation.version === null && status !== 'archived') {
    throw invalid({ path: ['status'], problem: `must not be ${status} before a version is published` });
  }
}

/** Whoever starts nobody any more has no next day; one that does so again has the next from now on. */
async function followSchedule(
  tx: Sql,
  storeId: string,
  { id, status: before, version }: LockedAutomation,
  { status, storeZone = null }: NewStatus,
): Promise<void> {
  if (!takesRoom(status)) return await deletePlanned(tx, storeId, id);
  if (takesRoom(before) || version === null) return;
  const published = await findVersion(tx, storeId, id, version);
  const definition = published?.definition.parse<Definition>();
  if (definition) await planSchedule(tx, storeId, { automationId: id, version, definition, storeZone });
}

async function storeStatus(
  tx: Sql,
  storeId: string,
  automation: LockedAutomation,
  { id, status, overdue, spreadMs }: NewStatus,
): Promise<void> {
  const resumed = automation.status === 'paused' ? { at: Date.now(), overdue, spreadMs } : undefined;
  await sql`
    update automation
    set status = ${status}, updated_at = now()
      ${resumed ? sql`, resumed = ${JSON.stringify(resumed)}` : sql``}
    where store_id = ${storeId} and id = ${id}`.execute(tx);
}
