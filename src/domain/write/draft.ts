import type { ServiceError } from '../errors.ts';
import type { Identifiers } from '../identifiers.ts';

/** Free-form attributes of a profile. */
export type Attributes = Record<string, unknown>;

export interface Profile {
  id: string;
  externalId: string | null;
  email: string | null;
  phone: string | null;
  anonymousId: string | null;
  attributes: Attributes;
  createdAt: Date;
  updatedAt: Date;
}

export interface RecordedEvent {
  /** UUID of version 7. */
  id: string;
  profileId: string;
  eventType: string;
  properties: Record<string, unknown>;
  idempotencyKey: string | null;
  occurredAt: Date;
  receivedAt: Date;
}

/** An event to record. Its id is drawn once, before the first attempt, so that a retry writes the same event. */
export type NewEvent = Omit<RecordedEvent, 'profileId'>;

/** One unit of the write path: a profile to find or create, perhaps to change, and perhaps an event of it. */
export interface Draft {
  identifiers: Identifiers;
  /** The new attributes for the old ones; absent where none change. Throws a `ServiceError` to refuse the draft. */
  change?: ((attributes: Attributes) => Attributes) | undefined;
  /**
   * What becomes of an identifier that another profile owns: the draft is refused, or goes on without it, because to
   * lose an event is worse.
   */
  taken: 'refuse' | 'ignore';
  event?: NewEvent | undefined;
  /** What the event's idempotency key is unique within, given its profile; by default the store. Without spaces. */
  keyScope?: ((profileId: string) => string) | undefined;
}

/** What became of a draft that was not refused. */
export interface Recorded {
  profileId: string;
  /** The profile after the draft; loaded only where the draft could change it. */
  profile: Profile | undefined;
  profileCreated: boolean;
  event: RecordedEvent | undefined;
  /** The event was recorded before, under the same idempotency key; then nothing was written for this draft. */
  replayed: boolean;
}

export type Outcome = Recorded | ServiceError;
