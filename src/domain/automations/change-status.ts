import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { invalid } from '../service-error.ts';
import type { AutomationStatus } from './core/machine/automation.ts';
import { changeAutomations, enterStatus, lockAutomation, watchAttributes } from './status-changes.ts';
import type { VersionCache } from './stored/version-cache.ts';

export interface NewStatus {
  id: string;
  status: Exclude<AutomationStatus, 'draft'>;
  /** What becomes of runs that were due while it was paused, and over how long they are spread. */
  overdue: 'run' | 'exit';
  spreadMs: number;
}

/**
 * Pauses, resumes, drains or archives an automation; the status that it has already changes nothing. Returns whether the
 * store has such an automation.
 */
export async function changeStatus(
  db: Sql,
  { storeId, keyId }: Caller,
  { id, status, overdue, spreadMs }: NewStatus,
  versions: VersionCache,
): Promise<boolean> {
  return await changeAutomations(db, storeId, async (tx) => {
    const automation = await lockAutomation(tx, storeId, id);
    if (!automation) return false;
    if (automation.status === status) return true;
    if (automation.status === 'archived') {
      throw invalid({ path: ['status'], problem: 'must stay archived: an automation is archived for good' });
    }
    const { version } = automation;
    if (version === null && status !== 'archived') {
      throw invalid({ path: ['status'], problem: 'must be archived, as the automation has not been published yet' });
    }
    if (version !== null) await enterStatus(tx, storeId, { automationId: id, status, version, by: keyId });
    const resumed = automation.status === 'paused' ? { at: Date.now(), overdue, spreadMs } : undefined;
    await sql`
      update automation
      set status = ${status}, updated_at = now()
        ${resumed ? sql`, resumed = ${JSON.stringify(resumed)}` : sql``}
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    await watchAttributes(tx, storeId, versions);
    return true;
  });
}
