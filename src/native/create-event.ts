import type { Operations } from '../../generated/native/operations.gen.ts';
import { type FindReplay, recordEvent } from '../domain/record-event.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { parseEventInput, renderEvent } from './representations/event.ts';

export function createEvent(groupCommit: GroupCommit, findReplay: FindReplay): Handler<Operations, 'createEvent'> {
  return async ({ request, caller }) => {
    const { event, replayed } = await recordEvent(
      groupCommit,
      findReplay,
      caller,
      parseEventInput(request.body, caller),
    );
    const headers = replayed ? { 'Idempotency-Replayed': 'true' } : {};
    return { status: 201, body: renderEvent(event), headers, isRepeatable: replayed };
  };
}
