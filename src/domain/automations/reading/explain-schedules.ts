import type { Sql } from '../../../db/sql.ts';
import { timeOf } from '../../../ids/uuid-v7.ts';
import { decode, encode, notACursor, type Page, type PageRequest } from '../../reading/cursor.ts';
import { scheduleTriggerId } from '../core/machine/origin.ts';
import { parseDate } from '../core/time/dates.ts';
import { readOccurrences, type StoredOccurrence } from '../stored/occurrences.ts';
import type { Decided, EntryCandidate } from './candidate.ts';
import { readDecisions } from './recorded-decisions.ts';

/**
 * Returns the times of a schedule that have come, newest first, and what was decided about a customer at each: also of those
 * at which nobody came to them.
 */
export async function explainSchedules(
  db: Sql,
  storeId: string,
  { automationId, profileId }: { automationId: string; profileId: string },
  { limit, cursor }: PageRequest,
): Promise<Page<EntryCandidate>> {
  const beforeDay = cursor === undefined ? undefined : readCursor(cursor);
  const range = beforeDay === undefined ? {} : { beforeDay };
  // The first may be the one to come.
  const rows = await readOccurrences(db, storeId, automationId, { ...range, limit: limit + 2 });
  const come = rows.filter(({ status }) => status !== 'planned');
  const shown = come.slice(0, limit);
  const decisions = await readDecisions(
    db,
    storeId,
    automationId,
    shown.map(({ day }) => scheduleTriggerId(profileId, day)),
  );
  const items = shown.map((occurrence): EntryCandidate => {
    const { day, dueAt, beganAt, endedAt } = occurrence;
    const decision = decisions.get(scheduleTriggerId(profileId, day)) ?? undecided(occurrence, profileId);
    const receivedAt = decision.made === 'entered' ? timeOf(decision.runId) : (endedAt ?? beganAt ?? dueAt);
    return { type: 'schedule', event: null, occurredAt: dueAt, receivedAt, decision };
  });
  return { items, next: come.length > limit ? encode((shown.at(-1) as StoredOccurrence).day) : null };
}

function undecided({ status, afterProfileId }: StoredOccurrence, profileId: string): Decided {
  const isPassed = afterProfileId >= profileId;
  if (status === 'under_way' && !isPassed) return { made: 'pending' };
  const reason =
    isPassed || status === 'done' || status === 'under_way' || status === 'planned' ? 'not_member' : status;
  return { made: 'skipped', reason, detail: {} };
}

function readCursor(cursor: string): string {
  const day = decode(cursor) ?? '';
  // A date that exists, as the database knows them too.
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !parseDate(day) || day < '0001') throw notACursor();
  return day;
}
