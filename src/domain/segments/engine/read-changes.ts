import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { timeOf } from '../../../ids/uuid-v7.ts';
import { removeFeedReader } from '../../change-feed/feed-readers.ts';
import { assignPositions } from '../../change-feed/positions.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { requestBuilds } from '../request-build.ts';
import { type Appointments, noteDue } from './apply.ts';
import { follow } from './follow.ts';
import { lockSegments } from './lock.ts';
import type { Dirty } from './origin.ts';
import { type Generation, type KeptSegment, loadSegments } from './segments.ts';
import type { SegmentTools } from './tools.ts';
import { type Entry, moveReader, READER, readEventNotes, readUnread } from './unread.ts';

/** Whether something was read: all that there is, or so much that more follows. False if nothing is to be done now. */
export type Progress = false | 'end' | 'more';

/**
 * Entries that segments may be behind: those who are further behind give up what they have not read, and are built anew,
 * rather than have the feed keep it.
 */
const MAX_BEHIND = 500_000;

/**
 * Milliseconds before an entry of the feed in which a customer's id may have been drawn by the request that made the
 * entry: clocks differ, and requests wait.
 */
const NEW_FOR_MS = 10 * 60 * 1000;

/**
 * Reads a store's next changes and moves the members of the segments that they concern, in the transaction that moves the
 * place in the feed: each is followed once, whatever fails in between.
 */
export async function readChanges(db: Sql, storeId: string, tools: SegmentTools, items?: number): Promise<Progress> {
  await assignPositions(db, storeId);
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx): Promise<Progress> => {
      if (!(await lockSegments(tx, storeId))) return false;
      const unread = await readUnread(tx, storeId, items);
      if (!unread) return false;
      const { entries, reached, head, hasGap } = unread;
      const segments = await loadSegments(tx, storeId, tools.generations);
      if (segments.length === 0) {
        await forgetStore(tx, storeId);
        return false;
      }
      if (hasGap || head - reached > MAX_BEHIND) {
        tools.log.error({ store_id: storeId }, 'segments are too far behind, and are built anew');
        await startAnew(tx, storeId, segments);
        await moveReader(tx, storeId, head);
        return 'end';
      }
      const dirty = await findDirty(tx, storeId, entries, segments);
      const appointments: Appointments = await follow(tx, storeId, segments, dirty, tools);
      await noteDue(tx, storeId, appointments);
      await moveReader(tx, storeId, reached);
      return reached < head ? 'more' : 'end';
    }),
  );
}

/** Whoever creates a segment adds the place in the feed again. */
async function forgetStore(tx: Sql, storeId: string): Promise<void> {
  await removeFeedReader(tx, { storeId, name: READER });
}

export async function startAnew(tx: Sql, storeId: string, segments: readonly KeptSegment[]): Promise<void> {
  const ids = segments.filter(({ hasFailed }) => !hasFailed).map(({ id }) => id);
  await sql`select from segment where store_id = ${storeId} order by id for update`.execute(tx);
  await requestBuilds(tx, storeId, ids, { reason: 'missed_changes', isStale: true });
}

/** A process of the version before does not say that a change is one of consent. */
function touchedBy(cause: Entry['cause']): (generation: Generation) => boolean {
  return cause === 'consent' ? ({ uses }) => uses.consent : ({ uses }) => uses.profile;
}

/** Returns the customers whom changes concern, each with what has happened. */
async function findDirty(
  tx: Sql,
  storeId: string,
  entries: readonly Entry[],
  segments: readonly KeptSegment[],
): Promise<Map<string, Dirty[]>> {
  const generations = segments.flatMap(({ serving, build }) => [serving ?? [], build ?? []].flat());
  const types = generations.some(({ uses }) => uses.anyEvent)
    ? null
    : new Set(generations.flatMap(({ uses }) => [...uses.eventTypes]));
  const dirty = new Map<string, Dirty[]>();
  const known = new Set<string>();
  const add = (profileId: string, what: string, reason: Dirty) => {
    const key = `${profileId} ${what} ${reason.cause} ${reason.depth}`;
    if (known.has(key)) return;
    known.add(key);
    const reasons = dirty.get(profileId);
    if (reasons) reasons.push(reason);
    else dirty.set(profileId, [reason]);
  };
  const idsOf = (kind: Entry['kind']) => entries.flatMap((entry) => (entry.kind === kind ? entry.ids : []));
  for (const { profileId, type, isBackfill, depth } of await readEventNotes(tx, storeId, idsOf('event'), types)) {
    const touches = ({ uses }: Generation) => uses.anyEvent || uses.eventTypes.has(type);
    add(profileId, `event ${type}`, { touches, cause: isBackfill ? 'import' : 'event', depth });
  }
  for (const entry of entries) {
    const { kind, listId, cause } = entry;
    if (kind !== 'list_change' || listId === null) continue;
    const touches = ({ uses }: Generation) => uses.lists.has(listId);
    for (const id of entry.ids) add(id, `list ${listId}`, { touches, cause: cause ?? 'list', depth: 0 });
  }
  const added = await findNew(tx, storeId, [...new Set(idsOf('profile'))], entries);
  for (const { kind, ids, cause, depth } of entries) {
    if (kind !== 'profile') continue;
    for (const id of ids) {
      // Somebody new may be in a segment that asks for nothing that they have. A consent does not make anybody new.
      const touches = added.has(id) && cause !== 'consent' ? null : touchedBy(cause);
      add(id, 'profile', { touches, cause: cause ?? 'profile', depth });
    }
  }
  return dirty;
}

/**
 * Returns those whom no segment may have looked at: they are as new as the entries that tell of them. A change of
 * somebody who has just come is taken for their coming, which costs an evaluation.
 */
async function findNew(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
  entries: readonly Entry[],
): Promise<Set<string>> {
  const first = entries.find(({ kind }) => kind === 'profile');
  if (ids.length === 0 || !first) return new Set();
  const { rows } = await sql<{ since: number }>`
    select (extract(epoch from added_at) * 1000)::float8 as since from addition
    where store_id = ${storeId} and position = ${first.position}::bigint`.execute(tx);
  const since = (rows[0]?.since ?? 0) - NEW_FOR_MS;
  return new Set(ids.filter((id) => timeOf(id) >= since));
}
