import type { Oversized } from '../../db/raw-json.ts';
import type { AttributePatch } from '../attributes/attributes.ts';
import type { EventRef, NewEvent, RecordedEvent } from '../event.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Profile } from '../profile.ts';
import type { ServiceError } from '../service-error.ts';

/** Who a profile is, and what changes of it. */
export interface ProfileChange {
  /** Decides the profile, which has to exist; by default the identifiers do. */
  profileId?: string | undefined;
  /** Normalised; at least one, unless `profileId` is given. */
  identifiers: Identifiers;
  /** E-mail addresses that the profile answers to besides. Normalised. */
  addEmails?: readonly string[] | undefined;
  /** E-mail addresses that the profile no longer answers to; the one that it shows stays. Normalised. */
  dropEmails?: readonly string[] | undefined;
  patch?: AttributePatch | undefined;
}

/** One unit of the write path: a profile to find or create, perhaps to change, and perhaps an event of it. Plain data. */
export interface Draft extends ProfileChange {
  /**
   * What becomes of an identifier that another profile owns: the draft is refused, or goes on without it, because to
   * lose an event is worse.
   */
  onIdentifierConflict: 'refuse' | 'ignore';
  event?: NewEvent | undefined;
  /** What the event's idempotency key is unique within, besides its profile; absent: it is unique in the store. */
  idempotencyScope?: string | undefined;
}

/** What became of a draft that was not refused. */
export type Recorded = Written | Replay;

interface Written {
  profileId: string;
  /** The profile after a draft that has no event. */
  profile: Profile | undefined;
  profileCreated: boolean;
  event: RecordedEvent | undefined;
  replayed: false;
}

/** The event was recorded before, under the same idempotency key; nothing was written for the draft. */
interface Replay {
  profileId: string;
  profile: undefined;
  profileCreated: false;
  event: EventRef;
  replayed: true;
}

/** `Oversized`: its profile has to be changed on another thread. */
export type Outcome = Recorded | ServiceError | Oversized;
