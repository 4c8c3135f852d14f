import type { Sql } from '../../../db/sql.ts';
import type { Caller } from '../../caller.ts';
import type { Page, PageRequest } from '../../reading/cursor.ts';
import type { AutomationWithDraft } from '../find-automations.ts';
import type { VersionCache } from '../stored/version-cache.ts';
import type { EntryCandidate } from './candidate.ts';
import { explainEvents } from './explain-events.ts';
import { explainOthers } from './explain-others.ts';
import { latestDefinition } from './shown-definition.ts';

/** Returns what could have started runs of a customer, newest first, and what was decided. */
export async function explain(
  db: Sql,
  caller: Caller,
  automation: AutomationWithDraft,
  profileId: string,
  page: PageRequest,
  versions: VersionCache,
): Promise<Page<EntryCandidate>> {
  const { trigger } = await latestDefinition(db, caller.storeId, automation, versions);
  const who = { automationId: automation.id, profileId };
  if (trigger.type !== 'event') return await explainOthers(db, caller.storeId, { ...who, type: trigger.type }, page);
  return await explainEvents(db, caller, { ...who, eventType: trigger.event_type }, page, versions);
}
