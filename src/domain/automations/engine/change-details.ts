import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import { rowsById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { PositionedChange } from '../../feed/changes.ts';
import { followAliases } from '../../profile-aliases.ts';
import type { Cause } from '../../segments/engine/origin.ts';
import type { ProfileChange, SegmentMove } from '../core/machine/input.ts';

/** A change of attributes that automations watch, and of whose. */
export interface StoredProfileChange {
  profileId: string;
  change: ProfileChange;
}

interface StoredRow extends Omit<ProfileChange, 'changes'>, Pick<StoredProfileChange, 'profileId'> {
  changes: RawJson;
}

/** Returns changes by id. */
export async function readProfileChanges(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, StoredProfileChange>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<StoredRow>`
    select c.id, c.profile_id as "profileId", c.changes, c.depth, c.is_historical as "isHistorical",
      c.from_client as "fromClient", c.chain,
      (extract(epoch from c.changed_at) * 1000)::float8 as at
    from ${rowsById('profile_change', storeId, ids)} c`.execute(tx);
  const known = await followAliases(tx, storeId, rows);
  return new Map(
    known.map(({ profileId, changes, ...change }) => [
      change.id,
      { profileId, change: { ...change, changes: changes.parse<ProfileChange['changes']>() } },
    ]),
  );
}

/**
 * Which identifiers or consent have changed is not written down: those who wait for one look at what the profile has now.
 */
export function ofProfile(at: number): ProfileChange {
  return { id: newId(), at, depth: 0, changes: {} };
}

export function ofList(change: PositionedChange<'list_change'>): ProfileChange {
  const { listId, hasJoined, addedAt, depth, chain, isHistorical } = change;
  return {
    ...{ ...ofProfile(addedAt), depth, chain, isHistorical },
    moved: { kind: 'list', id: listId, isMember: hasJoined },
  };
}

export function ofSegment({ segmentId: id, kind, at, depth, chain }: SegmentMove): ProfileChange {
  return {
    ...{ ...ofProfile(at), depth, chain: chain ?? null },
    moved: { kind: 'segment', id, isMember: kind === 'entered' },
  };
}

export function ofConsent(change: PositionedChange<'consent_change'>): ProfileChange {
  const { channel, isGiven, addedAt, depth, chain, isHistorical, fromClient } = change;
  return { ...{ ...ofProfile(addedAt), depth, chain, isHistorical, fromClient }, chose: { channel, isGiven } };
}

/** A change of a segment, and of whose membership. */
export interface StoredSegmentMove {
  profileId: string;
  cause: Cause;
  move: SegmentMove;
}

/**
 * Causes of changes that start runs: what a customer has done, what was done to them, and time; not history, or what the
 * store has defined anew.
 */
export const STARTING: ReadonlySet<Cause> = new Set<Cause>(['event', 'profile', 'list', 'consent', 'time']);

/**
 * Those that wake runs: it does not matter to them why. What is built anew is not served yet when it is written, and is looked
 * at when a wait ends.
 */
const WAKING: ReadonlySet<Cause> = new Set<Cause>([...STARTING, 'segment', 'import']);

/** Returns the changes that may start or wake runs, by id. Those of a segment that was deleted meanwhile may be gone. */
export async function readSegmentChanges(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, StoredSegmentMove>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<SegmentMove & Pick<StoredSegmentMove, 'profileId' | 'cause'>>`
    select c.cause, c.id, c.segment_id as "segmentId", c.profile_id as "profileId", c.kind, c.depth, c.chain,
      (extract(epoch from c.changed_at) * 1000)::float8 as at
    from ${rowsById('segment_change', storeId, ids)} c
    where c.cause = any(${texts([...WAKING])}::text[])`.execute(tx);
  const known = await followAliases(tx, storeId, rows);
  return new Map(known.map(({ profileId, cause, ...move }) => [move.id, { profileId, cause, move }]));
}
