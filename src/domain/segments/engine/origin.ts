import type { SegmentChangeRecord } from '../../../db/entities/segment-change.ts';
import type { Generation } from './generations.ts';
import type { KeptSegment } from './segments.ts';

export type Cause = SegmentChangeRecord['cause'];

/** Why somebody enters or leaves a segment. */
export interface Origin {
  cause: Cause;
  /** How many automations led to it, one after the other. */
  depth: number;
  /** The id of what these began with. */
  chain?: string | undefined;
}

/** What has happened to a customer that segments may ask for, as JSON; `any`: whatever they ask for. Null: any of them. */
export type Dirty = Origin &
  (
    | { what: 'event'; type: string | null }
    | { what: 'list'; listId: string | null }
    | { what: 'profile' | 'consent' | 'time' | 'any' }
    | { what: 'drift'; segmentIds: readonly string[] }
  );

/** The customers to look at, and why. */
export type DirtyProfiles = ReadonlyMap<string, readonly Dirty[]>;

/** Whether it may matter to who is in a segment. */
export function touches(dirty: Dirty, { segmentId, uses }: Generation): boolean {
  switch (dirty.what) {
    case 'event':
      return uses.anyEvent || (dirty.type === null ? uses.eventTypes.size > 0 : uses.eventTypes.has(dirty.type));
    case 'list':
      return dirty.listId === null ? uses.lists.size > 0 : uses.lists.has(dirty.listId);
    case 'profile':
      return uses.profile;
    case 'consent':
      return uses.consent;
    case 'time':
      return uses.time;
    case 'drift':
      return dirty.segmentIds.includes(segmentId);
    case 'any':
      return true;
  }
}

/** Who has entered or left segments, and why. */
export type Moved = Map<string, ReadonlyMap<string, Origin>>;

/**
 * The causes in the order in which they count where there are several: changes are read together, and what a customer has
 * just done counts though some of their history was imported, too.
 */
export const CAUSES: readonly Cause[] = ['event', 'list', 'consent', 'profile', 'time', 'merge', 'import', 'definition'];

const NOTHING_LED: Pick<Origin, 'depth' | 'chain'> = { depth: 0 };

/** Returns why a customer moves: what has happened to them, or to their membership of segments that this one names. */
export function originOf(
  profileId: string,
  { serving }: Pick<KeptSegment, 'serving'>,
  dirty: DirtyProfiles,
  moved: Moved,
): Origin {
  const own = (dirty.get(profileId) ?? []).filter((one) => one.what === 'any' || (serving && touches(one, serving)));
  const named = [...(serving?.uses.segments ?? [])].flatMap((id) => moved.get(id)?.get(profileId) ?? []);
  const origins: Origin[] = [...own, ...named];
  // Nothing has happened that the segment asks for: its time has come before the customer was looked at for that.
  // The deepest: what an automation may have led to must not count as something new.
  const { depth, chain } = origins.reduce((one, other) => (other.depth > one.depth ? other : one), NOTHING_LED);
  return { cause: CAUSES.find((cause) => origins.some((origin) => origin.cause === cause)) ?? 'time', depth, chain };
}
