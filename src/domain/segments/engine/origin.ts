import type { SegmentChangeRecord } from '../../../db/entities/segment-change.ts';
import type { Generation, KeptSegment } from './segments.ts';

export type Cause = SegmentChangeRecord['cause'];

/** Why somebody enters or leaves a segment. */
export interface Origin {
  cause: Cause;
  /** How many automations led to it, one after the other. */
  depth: number;
}

/** What has happened to a customer that segments may ask for. */
export interface Dirty extends Origin {
  /** Null for all of them: the customer is new. */
  touches: ((generation: Generation) => boolean) | null;
}

/** The customers to look at, and why. */
export type DirtyProfiles = ReadonlyMap<string, readonly Dirty[]>;

/** Who has entered or left segments, and why. */
export type Moved = Map<string, ReadonlyMap<string, Origin>>;

/**
 * The causes in the order in which they count where there are several: changes are read together, and what a customer has
 * just done counts though some of their history was imported, too.
 */
const PRECEDENCE: readonly Cause[] = ['event', 'list', 'consent', 'profile', 'time', 'import', 'definition'];

/** Returns why a customer moves: what has happened to them, or to their membership of segments that this one names. */
export function originOf(
  profileId: string,
  { serving }: Pick<KeptSegment, 'serving'>,
  dirty: DirtyProfiles,
  moved: Moved,
): Origin {
  const own = (dirty.get(profileId) ?? []).filter(({ touches }) => !touches || (serving && touches(serving)));
  const named = [...(serving?.uses.segments ?? [])].flatMap((id) => moved.get(id)?.get(profileId) ?? []);
  const origins: Origin[] = [...own, ...named];
  // Nothing has happened that the segment asks for: its time has come before the customer was looked at for that.
  return {
    cause: PRECEDENCE.find((cause) => origins.some((origin) => origin.cause === cause)) ?? 'time',
    // The deepest: what an automation may have led to must not count as something new.
    depth: Math.max(0, ...origins.map(({ depth }) => depth)),
  };
}
