import type { Oversized } from '../../db/raw-json.ts';
import type { AttributePatch } from '../attributes/attributes.ts';
import type { EventRef, NewEvent, RecordedEvent } from '../event.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Profile } from '../profile.ts';
import type { ServiceError } from '../service-error.ts';
import type { Origin } from './profile-history.ts';

/** A profile's identifiers, and what to change in it. */
export interface ProfileChange {
  /** Selects a profile, which must exist, by its id or `source_id`; by default the identifiers do. */
  profileId?: string | undefined;
  /** Normalised; at least one unless `profileId` is given. */
  identifiers: Identifiers;
  /** Further e-mail addresses by which the profile can be found. Normalised. */
  addEmails?: readonly string[] | undefined;
  /** E-mail addresses by which it can no longer be found, except the one it shows. Normalised. */
  dropEmails?: readonly string[] | undefined;
  patch?: AttributePatch | undefined;
  /**
   * Whether anybody may have sent this. Then an `external_id`, which only the store gives, finds its profile and is not
   * given to one; otherwise the first of the other identifiers decides. A profile that exists keeps its identifiers as
   * they are, and attributes without room for more are left as they are.
   */
  isUntrusted?: boolean | undefined;
}

/** One unit of the write path: a profile to find, create or change, and optionally an event of it. Plain data. */
export interface Draft extends ProfileChange {
  /**
   * What happens if another profile owns an identifier: the draft is refused, or recorded without the identifier,
   * because losing an event is worse.
   */
  onIdentifierConflict: 'refuse' | 'ignore';
  event?: NewEvent | undefined;
  /**
   * Scope in which the event's idempotency key is unique, besides its profile; if absent, it is unique in the store.
   */
  idempotencyScope?: string | undefined;
  /** Who sent it, where the store keeps a history of its customers; absent otherwise. */
  origin?: Origin | undefined;
  /** Whether what becomes known of the profile is history, which starts nothing now; of an event, its `backfill` says so. */
  isHistorical?: boolean | undefined;
  /** How many automations led to it, one after the other; by default none. */
  depth?: number | undefined;
  /** The id of what these began with. */
  chain?: string | undefined;
}

/** The outcome of a draft that was not refused. */
export type Recorded = Written | Replay;

interface Written {
  profileId: string;
  /** The profile after a draft without an event. */
  profile: Profile | undefined;
  profileCreated: boolean;
  event: RecordedEvent | undefined;
  replayed: false;
}

/** The event had been recorded before under the same idempotency key; nothing was written for the draft. */
interface Replay {
  profileId: string;
  profile: undefined;
  profileCreated: false;
  event: EventRef;
  replayed: true;
}

/** `Oversized`: another thread has to change its profile. */
export type Outcome = Recorded | ServiceError | Oversized;
