import type { Operations } from '../../generated/native/operations.gen.ts';
import { recordEvent } from '../domain/events.ts';
import type { Recorder } from '../domain/write/recorder.ts';
import type { Handler } from '../http/handler.ts';
import { toEvent, toEventInput } from './event.ts';

export function createEvent(recorder: Recorder): Handler<Operations, 'createEvent'> {
  return async ({ request, caller }) => {
    const { event, replayed } = await recordEvent(recorder, caller, toEventInput(request.body));
    return { status: 201, body: toEvent(event), headers: replayed ? { 'Idempotency-Replayed': 'true' } : {} };
  };
}
