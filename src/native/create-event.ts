import type { Operations } from '../../generated/native/operations.gen.ts';
import { type FindReplay, recordEvent } from '../domain/record-event.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { parseEventInput, renderEvent, reportEvent } from './representations/event.ts';

export function createEvent(groupCommit: GroupCommit, findReplay: FindReplay): Handler<Operations, 'createEvent'> {
  return async ({ request, caller }) => {
    const input = parseEventInput(request.body, caller);
    const { event, replayed } = await reportEvent(recordEvent(groupCommit, findReplay, caller, input));
    const headers = replayed ? { 'Idempotency-Replayed': 'true' } : {};
    return { status: 201, body: renderEvent(event), headers, isRepeatable: replayed };
  };
}
