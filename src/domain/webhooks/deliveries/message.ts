type JsonObject = Readonly<Record<string, unknown>>;

/** Bytes of a message. */
export const MAX_BODY = 256 * 1024;

/** What a receiver is sent. Times are milliseconds. */
export interface Message {
  type: string;
  at: number;
  data: JsonObject;
  automation?: { id: string; version: number; runId: string; stepId: string };
  profile?: { id: string; identifiers: JsonObject; attributes: JsonObject } | undefined;
  event?: { id: string; eventType: string; occurredAt: number; properties: JsonObject } | undefined;
  items?: readonly object[] | undefined;
}

/** Returns the bytes of a message, which are the same for each attempt. */
export function bytesOf({ type, at, data, automation, profile, event, items }: Message): Buffer {
  const message = {
    type,
    timestamp: new Date(at).toISOString(),
    data,
    ...(automation && {
      automation: {
        id: automation.id,
        version: automation.version,
        run_id: automation.runId,
        step_id: automation.stepId,
      },
    }),
    ...(profile && {
      profile: { id: profile.id, identifiers: profile.identifiers, attributes: profile.attributes },
    }),
    ...(event && {
      event: {
        id: event.id,
        event_type: event.eventType,
        occurred_at: new Date(event.occurredAt).toISOString(),
        properties: event.properties,
      },
    }),
    ...(items && { items }),
  };
  return Buffer.from(JSON.stringify(message));
}
