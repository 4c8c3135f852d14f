import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { invalid } from '../service-error.ts';
import { type CheckedAutomation, findChecked } from './checked-automation.ts';
import { changeAutomations, lockAutomation } from './status-changes.ts';

/**
 * Deletes an automation that never ran, and returns it as it was. Returns undefined if the store has none with this id; throws
 * `validation_error` if it has had runs, or may still get some. What was skipped for it goes with age, as always.
 */
export async function deleteAutomation(db: Sql, storeId: string, id: string): Promise<CheckedAutomation | undefined> {
  return await changeAutomations(db, storeId, async (tx) => {
    if (!(await lockAutomation(tx, storeId, id))) return undefined;
    if (!(await isOver(tx, storeId, id))) {
      const problem =
        'must be that of an automation that never ran: a draft, or one that was archived before anybody entered';
      throw invalid({ path: ['id'], problem });
    }
    const automation = await findChecked(tx, storeId, id);
    for (const table of OF_IT) {
      await sql`delete from ${sql.id(table)} where store_id = ${storeId} and automation_id = ${id}`.execute(tx);
    }
    await sql`delete from automation where store_id = ${storeId} and id = ${id}`.execute(tx);
    return automation;
  });
}

const OF_IT = [
  'automation_version',
  'automation_status',
  'automation_date_fill',
  'automation_member_fill',
  'automation_occurrence',
];

/** Whether nobody ever entered, and nobody will: one that was published has been archived, and its reader knows. */
async function isOver(tx: Sql, storeId: string, id: string): Promise<boolean> {
  const isOf = sql`store_id = ${storeId} and automation_id = ${id}`;
  const { rows } = await sql<{ isOver: boolean }>`
    select (version is null or (status = 'archived' and read_status = 'archived'))
      and not exists (select from automation_run where ${isOf})
      and not exists (select from automation_count where ${isOf} and metric = 'entered')
      and not exists (select from automation_count_new where ${isOf} and metric = 'entered')
      and not exists (select from automation_date where ${isOf}) as "isOver"
    from automation where store_id = ${storeId} and id = ${id}`.execute(tx);
  return rows[0]?.isOver === true;
}
