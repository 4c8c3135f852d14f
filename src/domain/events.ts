import { v7 as uuidv7 } from 'uuid';
import type { Caller } from './api-keys.ts';
import type { Identifiers } from './identifiers.ts';
import type { Draft, Recorded, RecordedEvent } from './write/draft.ts';
import type { Recorder } from './write/recorder.ts';

export interface EventInput {
  eventType: string;
  /** Normalised, at least one. */
  identifiers: Identifiers;
  properties: Record<string, unknown>;
  /** Unique in the store; null for an event without one. */
  idempotencyKey: string | null;
  /** By default the time of receipt. */
  occurredAt: Date | undefined;
}

export interface RecordedOnce {
  event: RecordedEvent;
  /** It was recorded before, under the same idempotency key. */
  replayed: boolean;
}

/** Records an event. It is committed when this returns. */
export async function recordEvent(recorder: Recorder, caller: Caller, input: EventInput): Promise<RecordedOnce> {
  return once(await recorder.record(caller.storeId, draft(input, new Date())));
}

/** Records events in one transaction; in the order of the inputs. */
export async function recordEvents(recorder: Recorder, caller: Caller, inputs: EventInput[]): Promise<RecordedOnce[]> {
  const receivedAt = new Date();
  const outcomes = await recorder.recordAll(
    caller.storeId,
    inputs.map((input) => draft(input, receivedAt)),
  );
  // An event is never refused: the identifiers that another profile owns are left to it.
  return outcomes.map((outcome) => once(outcome as Recorded));
}

function draft({ identifiers, occurredAt = undefined, ...input }: EventInput, receivedAt: Date): Draft {
  const event = { ...input, id: uuidv7(), occurredAt: occurredAt ?? receivedAt, receivedAt };
  return { identifiers, taken: 'ignore', event };
}

function once({ event, replayed }: Recorded): RecordedOnce {
  return { event: event as RecordedEvent, replayed };
}
