import type { Sql } from '../../db/sql.ts';
import type { Violation } from '../service-error.ts';
import { allProblems } from './check.ts';
import type { Definition } from './core/definition/definition.ts';
import { type AutomationWithDraft, findAutomation } from './find-automations.ts';
import { checkNamed } from './named-parts.ts';
import { readSchedule, type Schedule } from './reading/schedule.ts';

/** An automation, and what its draft is. */
export interface CheckedAutomation extends AutomationWithDraft {
  definition: Definition;
  /** What refuses the publication of the draft as things are now; paths begin at its root. */
  problems: Violation[];
  /** Undefined unless the trigger of the latest version is one. */
  schedule?: Schedule | undefined;
}

/** Undefined if the store has no such automation. */
export async function findChecked(db: Sql, storeId: string, id: string): Promise<CheckedAutomation | undefined> {
  const automation = await findAutomation(db, storeId, id);
  if (!automation) return undefined;
  const definition = automation.draft.parse<Definition>();
  const named = await checkNamed(db, storeId, definition, { locks: false });
  const schedule = await readSchedule(db, storeId, automation.id);
  return { ...automation, definition, schedule, problems: allProblems(definition, named.problems) };
}
