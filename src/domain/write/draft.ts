import type { Oversized, RawJson } from '../../db/raw-json.ts';
import type { AttributePatch, Attributes } from '../attributes/attributes.ts';
import type { Identifiers } from '../identifiers.ts';
import type { ServiceError } from '../service-error.ts';

/** Free-form data: as it came in, or as the database has it. */
export type FreeForm = Record<string, unknown> | RawJson;

export interface Profile {
  id: string;
  externalId: string | null;
  email: string | null;
  phone: string | null;
  anonymousId: string | null;
  attributes: Attributes | RawJson;
  createdAt: Date;
  updatedAt: Date;
}

export interface RecordedEvent {
  /** UUID of version 7. */
  id: string;
  profileId: string;
  eventType: string;
  properties: FreeForm;
  /** What the surface it came through needs to return it as it was sent; null where the rest is enough. */
  source: FreeForm | null;
  idempotencyKey: string | null;
  occurredAt: Date;
  receivedAt: Date;
}

/** An event to record. Its id is drawn once, before the first attempt, so that a retry writes the same event. */
export type NewEvent = Omit<RecordedEvent, 'profileId'>;

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
  taken: 'refuse' | 'ignore';
  event?: NewEvent | undefined;
  /** What the event's idempotency key is unique within, besides its profile; absent: it is unique in the store. */
  keyWithin?: string | undefined;
}

/** Which event it is, and whose. */
export type EventPlace = Pick<RecordedEvent, 'id' | 'profileId'>;

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
  event: EventPlace;
  replayed: true;
}

/** `Oversized`: its profile has to be changed on another thread. */
export type Outcome = Recorded | ServiceError | Oversized;
