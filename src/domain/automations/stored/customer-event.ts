import { parsed } from '../../../db/raw-json.ts';
import type { CustomerEvent, JsonObject } from '../../conditions/subject.ts';
import type { RecordedEvent } from '../../event.ts';

/** What `source` of an event has where an automation has emitted it. */
export interface EventOrigin {
  automation: {
    run_id: string;
    depth: number;
    /** The id of what began the automations that led to it. */
    chain?: string;
  };
}

interface Source extends Partial<EventOrigin> {
  backfill?: unknown;
  client?: unknown;
}

/** Returns an event as automations see it. */
export function toCustomerEvent(event: RecordedEvent): CustomerEvent {
  const source = event.source ? parsed<Source>(event.source) : {};
  return {
    id: event.id,
    eventType: event.eventType,
    properties: parsed<JsonObject>(event.properties),
    occurredAt: event.occurredAt.getTime(),
    receivedAt: event.receivedAt.getTime(),
    backfill: source.backfill === true,
    fromClient: source.client === true,
    depth: source.automation?.depth ?? 0,
    chain: source.automation?.chain,
  };
}
