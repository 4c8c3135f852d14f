import type { Event, EventInput as EventBody, ProfileIdentifiers } from '../../../generated/native/types.gen.ts';
import { BACKFILL, isBackfill, isFromClient, type RecordedEvent } from '../../domain/event.ts';
import { parseTime } from '../../domain/event-time.ts';
import { canonicalEmail, type Identifiers, stripPhone } from '../../domain/identifiers.ts';
import type { EventInput } from '../../domain/record-event.ts';

/** Converts a validated body. */
export function parseEventInput(body: EventBody): EventInput {
  return {
    eventType: body.event_type,
    profile: { identifiers: toIdentifiers(body.profile) },
    properties: body.properties ?? {},
    source: body.backfill ? BACKFILL : undefined,
    idempotencyKey: body.idempotency_key ?? null,
    occurredAt: body.occurred_at === undefined ? undefined : parseTime(body.occurred_at),
  };
}

/** Converts validated identifiers. */
export function toIdentifiers({ email, phone, external_id, source_id }: ProfileIdentifiers): Identifiers {
  return {
    external_id,
    email: email === undefined ? undefined : canonicalEmail(email),
    phone: phone === undefined ? undefined : stripPhone(phone),
    source_id,
  };
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
