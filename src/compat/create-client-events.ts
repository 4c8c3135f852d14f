import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { ClientEventTypes } from '../domain/client-event-types.ts';
import { recordEvents } from '../domain/record-event.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { metricNameAt, PROFILE, toClientEventInputs } from './document/client.ts';
import { reportAt } from './document/error.ts';

export function createClientEvents(
  groupCommit: GroupCommit,
  eventTypes: ClientEventTypes,
): Handler<Operations, 'createClientEvents'> {
  return async ({ request, caller }) => {
    const inputs = toClientEventInputs(request.body, caller);
    const types = inputs.map(({ eventType }) => eventType);
    eventTypes.check(caller.storeId, types, metricNameAt);
    // All are of one customer: who was erased is dropped.
    if (inputs.length > 0) await reportAt(PROFILE, recordEvents(groupCommit, caller, inputs));
    return { status: 202 };
  };
}
