import { sql } from 'kysely';
import type { Sql } from '../db/orm.ts';
import { newId } from '../ids/uuid-v7.ts';
import type { Caller } from './caller.ts';
import type { EventRef, RecordedEvent } from './event.ts';
import { ServiceError } from './service-error.ts';
import type { Draft, ProfileChange } from './write/draft.ts';
import type { GroupCommit } from './write/group-commit.ts';
import type { Origin } from './write/profile-history.ts';

export interface EventInput {
  eventType: string;
  /** The customer, and any change to their profile. */
  profile: ProfileChange;
  properties: Record<string, unknown>;
  /** See `RecordedEvent`. */
  source?: Record<string, unknown> | undefined;
  /** Null for an event without one. */
  idempotencyKey: string | null;
  /** Scope in which the key is unique, besides its profile; by default it is unique in the store. */
  idempotencyScope?: string | undefined;
  /** By default the time of receipt. */
  occurredAt: Date | undefined;
}

export interface RecordedOnce<Event = EventRef> {
  event: Event;
  /** Whether it had been recorded before under the same idempotency key. */
  replayed: boolean;
}

/** Reads an event of the caller's store through the fair semaphore: it may be large, and cheap to ask for. */
export type FindReplay = (caller: Caller, id: string) => Promise<RecordedEvent | undefined>;

/** Records an event; it is committed when the promise resolves. */
export async function recordEvent(
  groupCommit: GroupCommit,
  findReplay: FindReplay,
  caller: Caller,
  input: EventInput,
): Promise<RecordedOnce<RecordedEvent>> {
  const { replayed, event } = await recordEventOnce(groupCommit, caller, input);
  if (!replayed) return { event: event as RecordedEvent, replayed };
  const before = await findReplay(caller, event.id);
  if (before) return { event: before, replayed };
  throw new ServiceError('upstream_error', 'The event was just deleted; try again', { retryAfter: 1 });
}

/** The same for who needs no more than the event's id: one that had been recorded before is not read. */
export async function recordEventOnce(
  groupCommit: GroupCommit,
  caller: Caller,
  input: EventInput,
): Promise<RecordedOnce> {
  const { replayed, event } = await groupCommit.record(caller.storeId, eventDraft(input, new Date(), caller.origin));
  return { event: event as EventRef, replayed };
}

/**
 * Records events in one transaction. Results are in the order of the inputs; of those that were refused, why. With
 * `isAllOrNothing`, one that is refused has none recorded.
 */
export async function recordEvents(
  groupCommit: GroupCommit,
  caller: Caller,
  inputs: EventInput[],
  options: { isAllOrNothing?: boolean } = {},
): Promise<(RecordedOnce | ServiceError)[]> {
  const receivedAt = new Date();
  const outcomes = await groupCommit.recordAll(
    caller.storeId,
    inputs.map((input) => eventDraft(input, receivedAt, caller.origin)),
    'bulk',
    options,
  );
  return outcomes.map((outcome) => {
    if (outcome instanceof ServiceError) return outcome;
    if (outcome instanceof Error) throw outcome;
    return { event: outcome.event as EventRef, replayed: outcome.replayed };
  });
}

/** Returns `occurredAt` of a profile's latest event; null if it has none. */
export async function lastEventTime(db: Sql, { storeId }: Caller, profileId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from occurred_at) * 1000)::float8 as at
    from event
    where store_id = ${storeId} and profile_id = ${profileId}
    order by occurred_at desc
    limit 1`.execute(db);
  return rows[0] ? new Date(rows[0].at) : null;
}

export function eventDraft(input: EventInput, receivedAt: Date, origin?: Origin): Draft {
  const { eventType, properties, source = null, idempotencyKey, occurredAt = receivedAt } = input;
  const event = { id: newId(), eventType, properties, source, idempotencyKey, occurredAt, receivedAt };
  // Field by field: objects made with a spread took five times as much memory in V8.
  const { profileId, identifiers, addEmails, dropEmails, patch, isUntrusted } = input.profile;
  return {
    profileId,
    identifiers,
    addEmails,
    dropEmails,
    patch,
    isUntrusted,
    onIdentifierConflict: 'ignore',
    event,
    idempotencyScope: input.idempotencyScope,
    origin,
  };
}
