import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { timeOf } from '../../../ids/uuid-v7.ts';
import { type Entry, readEntries } from '../../feed/entries.ts';
import { assignPositions } from '../../feed/positions.ts';
import { addFeedReader, lockReader, moveReader, removeFeedReader } from '../../feed/readers.ts';
import { readAliases } from '../../profile-aliases.ts';
import { requestBuilds } from '../request-build.ts';
import { type Followed, noteFollowed } from './follow.ts';
import { withSegments } from './lock.ts';
import type { Dirty } from './origin.ts';
import { type Following, followOrPostpone, postpone } from './postponed.ts';
import { KINDS, READER, readEventNotes } from './reader.ts';
import { type KeptSegment, loadSegments } from './segments.ts';
import type { SegmentTools, TransactionTools } from './tools.ts';

/** Whether something was read: all that there is, or so much that more follows. False if nothing is to be done now. */
export type Progress = false | 'end' | 'more';

export interface Read {
  progress: Progress;
  /** Events and profiles of what was read, and seconds since the last of it was written. */
  items: number;
  lag: number;
  /** Entries of the feed that are still to be read. */
  behind: number;
}

const NOTHING: Read & { work?: Followed['work'] } = { progress: false, items: 0, lag: 0, behind: 0 };

/**
 * Entries that segments may be behind: those who are further behind give up what they have not read, and are built anew,
 * rather than have the feed keep it.
 */
export const MAX_BEHIND = 500_000;

/** Items after which one transaction reads no further entry. */
export const MAX_ITEMS = 3_000;

/**
 * Milliseconds before an entry of the feed in which a customer's id may have been drawn by the request that made the
 * entry: clocks differ, and requests wait.
 */
const NEW_FOR_MS = 10 * 60 * 1000;

/**
 * Reads a store's next changes and moves the members of the segments that they concern, in the transaction that moves the
 * place in the feed: each is followed once, whatever fails in between.
 */
export async function readChanges(db: Sql, storeId: string, shared: SegmentTools, items?: number): Promise<Read> {
  await assignPositions(db, storeId);
  const read = await followOrPostpone((following) =>
    withSegments(db, storeId, shared, (tx, tools) => readSome(tx, storeId, tools, following, items)),
  );
  const { work, ...seen } = read ?? NOTHING;
  if (work) shared.work.add(work);
  return seen;
}

async function readSome(
  tx: Sql,
  storeId: string,
  tools: TransactionTools,
  following: Following,
  items = MAX_ITEMS,
): Promise<Read & { work?: Followed['work'] }> {
  const reader = { storeId, name: READER };
  const place = await lockReader(tx, reader);
  if (!place) return NOTHING;
  const { from, head } = place;
  const segments = await loadSegments(tx, storeId, tools.generations);
  if (segments.length === 0) {
    await forgetStore(tx, storeId, tools);
    return NOTHING;
  }
  const range = { from, to: head, kinds: KINDS };
  const read = place.hasGap ? undefined : await readEntries(tx, storeId, range, { items, whole: true });
  if (!read || head - read.end.entry > MAX_BEHIND) {
    tools.log.error({ store_id: storeId }, 'segments are too far behind, and are built anew');
    await startAnew(tx, storeId, segments);
    await moveReader(tx, reader, { entry: head, items: 0 });
    return { ...NOTHING, progress: 'end' };
  }
  const { entries, end } = read;
  const dirty = await findDirty(tx, storeId, entries, segments);
  const since = entries.reduce((first, { addedAt }) => Math.min(first, addedAt), Number.POSITIVE_INFINITY);
  const now = await postpone(tx, storeId, dirty, since);
  const followed = await following(tx, storeId, segments, now, { ...tools, since });
  await noteFollowed(tx, storeId, followed, tools.now());
  await moveReader(tx, reader, end);
  return {
    progress: end.entry < head ? 'more' : 'end',
    items: entries.reduce((sum, { ids }) => sum + ids.length, 0),
    lag: (tools.now() - (entries.at(-1)?.addedAt ?? tools.now())) / 1000,
    behind: head - end.entry,
    work: followed.work,
  };
}

/** Whoever creates a segment adds the place in the feed again. */
async function forgetStore(tx: Sql, storeId: string, { generations }: TransactionTools): Promise<void> {
  const isUseless = async () => (await loadSegments(tx, storeId, generations)).length === 0;
  await removeFeedReader(tx, { storeId, name: READER }, isUseless);
}

async function startAnew(tx: Sql, storeId: string, segments: readonly KeptSegment[]): Promise<void> {
  const ids = segments.filter(({ hasFailed }) => !hasFailed).map(({ id }) => id);
  await sql`select from segment where store_id = ${storeId} order by id for update`.execute(tx);
  await requestBuilds(tx, storeId, ids, { reason: 'missed_changes', isStale: true });
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
  const dirty = new Map<string, Map<string, Dirty>>();
  const add = (profileId: string, one: Dirty) => {
    const known = dirty.get(profileId) ?? new Map<string, Dirty>();
    dirty.set(profileId, known.set(JSON.stringify(one), one));
  };
  const idsOf = (kind: Entry['kind']) => entries.flatMap((entry) => (entry.kind === kind ? entry.ids : []));
  for (const { profileId, type, isBackfill, ...note } of await readEventNotes(tx, storeId, idsOf('event'), types)) {
    add(profileId, { what: 'event', type, cause: isBackfill ? 'import' : 'event', ...ledBy(note) });
  }
  for (const { kind, ids, listId, cause, depth, chains } of entries) {
    if (kind !== 'list_change' || listId === null) continue;
    for (const [i, id] of ids.entries()) {
      add(id, { what: 'list', listId, cause: cause ?? 'list', ...ledBy({ depth, chain: chains?.[i] }) });
    }
  }
  const added = findNew(entries);
  for (const { kind, ids, cause, depth, chains } of entries) {
    if (kind !== 'profile') continue;
    // A process of the version before does not say that a change is one of consent. A consent makes nobody new.
    const known = cause === 'consent' ? 'consent' : 'profile';
    for (const [i, id] of ids.entries()) {
      const what = cause === 'merge' || (known === 'profile' && added.has(id)) ? 'any' : known;
      add(id, { what, cause: cause ?? 'profile', ...ledBy({ depth, chain: chains?.[i] }) });
    }
  }
  const aliases = await readAliases(tx, storeId, [...dirty.keys()]);
  for (const [id, profileId] of aliases) {
    for (const one of dirty.get(id)?.values() ?? []) add(profileId, one);
    dirty.delete(id);
  }
  return new Map([...dirty].map(([id, all]) => [id, [...all.values()]]));
}

function ledBy({ depth, chain }: { depth: number; chain?: string | null | undefined }): Pick<Dirty, 'depth' | 'chain'> {
  return chain ? { depth, chain } : { depth };
}

/**
 * Returns those whom no segment may have looked at, so that they may be in one that asks for nothing that they have: they
 * are as new as the entries that tell of them. A change of somebody who has just come is taken for their coming, which
 * costs an evaluation.
 */
function findNew(entries: readonly Entry[]): Set<string> {
  const ofProfiles = entries.filter(({ kind }) => kind === 'profile');
  const since = (ofProfiles[0]?.addedAt ?? 0) - NEW_FOR_MS;
  return new Set(ofProfiles.flatMap(({ ids }) => ids.filter((id) => timeOf(id) >= since)));
}

/**
 * Gives segments that have no place in the change feed a new one, as after a restore: the feed begins anew there. What
 * they have missed nobody knows, so that they are built anew.
 */
export async function ensurePlace(db: Sql, storeId: string, tools: SegmentTools): Promise<void> {
  const { rows } = await sql<{ isLost: boolean }>`
    select ${isLost(sql`${storeId}::uuid`)} as "isLost"`.execute(db);
  if (!rows[0]?.isLost) return;
  tools.log.warn({ store_id: storeId }, 'segments have no place in the change feed, and are built anew');
  // Before they have one: whatever ends this in between, the next turn finds them without a place again.
  await withSegments(db, storeId, tools, async (tx, { generations }) => {
    await startAnew(tx, storeId, await loadSegments(tx, storeId, generations));
  });
  await addFeedReader(db, { storeId, name: READER });
}

/** Whether a store has segments that have no place in the feed. */
export function isLost(storeId: ReturnType<typeof sql>) {
  return sql`
    exists (select from segment s where s.store_id = ${storeId})
    and not exists (select from feed_reader r where r.store_id = ${storeId} and r.name = ${READER})`;
}
