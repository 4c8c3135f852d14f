import type { Sql } from '../../../db/sql.ts';
import { isId } from '../../../ids/uuid-v7.ts';
import type { Caller } from '../../caller.ts';
import type { Page, PageRequest } from '../../reading/cursor.ts';
import { type Standing, standingOf } from '../../segments/moves-of-profile.ts';
import { expectScopesToDefine } from '../access/scopes.ts';
import { segmentOf } from '../core/definition/uses.ts';
import type { AutomationWithDraft } from '../find-automations.ts';
import type { VersionCache } from '../stored/version-cache.ts';
import type { EntryCandidate } from './candidate.ts';
import { explainEvents } from './explain-events.ts';
import { explainOthers } from './explain-others.ts';
import { explainSchedules } from './explain-schedules.ts';
import { explainSegments } from './explain-segments.ts';
import { latestDefinition } from './shown-definition.ts';

export interface Explanation extends Page<EntryCandidate> {
  /** Of the customer, in the segment that triggers. */
  standing?: Standing | undefined;
}

/**
 * Returns what could have started runs of a customer, newest first, and what was decided. Throws `forbidden` if the
 * caller may not read what the definition reads.
 */
export async function explain(
  db: Sql,
  caller: Caller,
  automation: AutomationWithDraft,
  profileId: string,
  page: PageRequest,
  versions: VersionCache,
): Promise<Explanation> {
  const definition = await latestDefinition(db, caller.storeId, automation, versions);
  expectScopesToDefine(caller, definition);
  const { trigger } = definition;
  const who = { automationId: automation.id, profileId };
  const segmentId = segmentOf(definition);
  if (segmentId !== null && isId(segmentId) && (trigger.type === 'segment_entry' || trigger.type === 'segment_exit')) {
    const explained = await explainSegments(db, caller.storeId, { ...who, segmentId, type: trigger.type }, page);
    return { ...explained, standing: await standingOf(db, caller.storeId, { segmentId, profileId }) };
  }
  if (trigger.type === 'schedule') return await explainSchedules(db, caller.storeId, who, page);
  if (trigger.type !== 'event') return await explainOthers(db, caller.storeId, { ...who, type: trigger.type }, page);
  return await explainEvents(db, caller, { ...who, eventType: trigger.event_type }, page, versions);
}
