import type { Event, EventInput as EventBody, ProfileIdentifiers } from '../../../generated/native/types.gen.ts';
import type { Caller } from '../../domain/caller.ts';
import { canonicalName } from '../../domain/canonical/text.ts';
import { BACKFILL, isBackfill, isFromClient, type RecordedEvent } from '../../domain/event.ts';
import { parseTime } from '../../domain/event-time.ts';
import { canonicalIdentifiers, type Identifiers } from '../../domain/identifiers.ts';
import type { EventInput } from '../../domain/record-event.ts';
import { invalid, ServiceError, type Violation } from '../../domain/service-error.ts';

/** Converts a validated body of a caller. */
export function parseEventInput(body: EventBody, caller: Caller): EventInput {
  return {
    eventType: canonicalName(body.event_type),
    profile: { identifiers: toIdentifiers(body.profile, caller) },
    properties: body.properties ?? {},
    source: body.backfill ? BACKFILL : undefined,
    idempotencyKey: body.idempotency_key ?? null,
    occurredAt: body.occurred_at === undefined ? undefined : parseTime(body.occurred_at),
  };
}

/** Converts validated identifiers. */
export function toIdentifiers(given: ProfileIdentifiers, { country }: Caller): Identifiers {
  return canonicalIdentifiers(given, country);
}

export function renderEvent(event: RecordedEvent): Event {
  return {
    id: event.id,
    event_type: event.eventType,
    profile_id: event.profileId,
    properties: event.properties as Event['properties'],
    idempotency_key: event.idempotencyKey,
    occurred_at: event.occurredAt.toISOString(),
    received_at: event.receivedAt.toISOString(),
    backfill: isBackfill(event),
    ...(isFromClient(event) && { from_client: true }),
  };
}

/** Awaits an event; what it has against the customer is reported where the body names them. */
export async function reportEvent<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && error.violations.length > 0) throw invalid(violationAt([], error));
    throw error;
  }
}

/** Returns what a refused event has against its customer, at the place of the event in the body. */
export function violationAt(event: Violation['path'], { violations, message }: ServiceError): Violation {
  const [
    {
      path: [first, ...rest],
      problem,
    } = { path: [], problem: message },
  ] = violations;
  const path = first === 'identifiers' ? ['profile', ...rest] : [first ?? [], rest].flat();
  return { path: [...event, ...path], problem };
}
