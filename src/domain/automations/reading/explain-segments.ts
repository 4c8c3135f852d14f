import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { timeOf } from '../../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../../reading/cursor.ts';
import { type MoveRow, readMoves } from '../../segments/moves-of-profile.ts';
import { memberTriggerId } from '../core/machine/origin.ts';
import { STARTING } from '../engine/change-details.ts';
import type { Decided, EntryCandidate } from './candidate.ts';
import { oldestUnread, readDecisions } from './recorded-decisions.ts';

export interface Who {
  automationId: string;
  segmentId: string;
  profileId: string;
  type: 'segment_entry' | 'segment_exit';
}

/** How long before it is committed a change may have been written. */
const LONGEST_WRITE_MS = 30_000;

/**
 * Returns the times that a customer has entered the segment of a trigger, or left it, newest first, and what an automation
 * has decided about each; where its members start, also what it has decided about that.
 */
export async function explainSegments(
  db: Sql,
  storeId: string,
  who: Who,
  page: PageRequest,
): Promise<Page<EntryCandidate>> {
  const { automationId, segmentId, profileId, type } = who;
  const before = readBefore(page.cursor);
  const kind = type === 'segment_entry' ? 'entered' : 'left';
  const rows = await readMoves(db, storeId, { segmentId, profileId, kind, before, limit: page.limit + 1 });
  const { items: moves, next } = toPage(
    rows as (MoveRow & { candidates?: number })[],
    page.limit,
    (row) => row,
    idCursor,
  );
  // Before what was decided: whatever is read meanwhile is found there.
  const unreadSince = await oldestUnread(db, storeId);
  const starts = type === 'segment_entry' ? await startsOfMembers(db, storeId, who) : [];
  const ids = [...moves.map(({ id }) => id), ...starts.map(({ id }) => id)];
  const decisions = await readDecisions(db, storeId, automationId, ids);
  const ofMoves = moves.map(({ id, cause, at, writtenAt }): EntryCandidate => {
    const isPending = unreadSince !== undefined && writtenAt >= unreadSince - LONGEST_WRITE_MS;
    const decision = decisions.get(id) ?? undecided(STARTING.has(cause), isPending);
    return { type, event: null, occurredAt: at, receivedAt: at, cause, decision };
  });
  const until = next === null ? Number.NEGATIVE_INFINITY : timeOf((moves.at(-1) as MoveRow).id);
  const ofMembers = starts.flatMap(({ id, at }): EntryCandidate[] => {
    const decision = decisions.get(id);
    const isOfPage = at > until && at <= timeOf(before);
    return decision && isOfPage ? [{ type, event: null, occurredAt: at, receivedAt: at, decision }] : [];
  });
  const items = [...ofMoves, ...ofMembers].sort((one, other) => other.occurredAt - one.occurredAt);
  return { items, next };
}

function undecided(starts: boolean, isPending: boolean): Decided {
  if (!starts) return { made: 'skipped', reason: 'cause', detail: {} };
  return isPending ? { made: 'pending' } : { made: 'skipped', reason: 'not_live', detail: {} };
}

/** The versions with which those who were in the segment start: the ids of what starts the customer, and when. */
async function startsOfMembers(
  db: Sql,
  storeId: string,
  { automationId, profileId }: Who,
): Promise<{ id: string; at: number }[]> {
  const { rows } = await sql<{ number: number; at: number }>`
    select number, (extract(epoch from members_before) * 1000)::float8 as at from automation_version
    where store_id = ${storeId} and automation_id = ${automationId} and members_before is not null
    order by number desc
    limit 100`.execute(db);
  return rows.map(({ number, at }) => ({ id: memberTriggerId(profileId, number), at }));
}
