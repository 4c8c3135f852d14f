import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { ClientEventTypes } from '../domain/client-event-types.ts';
import { recordEventOnce } from '../domain/record-event.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import { dropSuppressed } from '../domain/write/suppressed.ts';
import type { Handler } from '../http/handler.ts';
import { METRIC_NAME, PROFILE, toClientEventInput } from './document/client.ts';
import { reportAt } from './document/error.ts';

export function createClientEvent(
  groupCommit: GroupCommit,
  eventTypes: ClientEventTypes,
): Handler<Operations, 'createClientEvent'> {
  return async ({ request, caller }) => {
    const input = toClientEventInput(request.body, caller);
    eventTypes.check(caller.storeId, [input.eventType], () => METRIC_NAME);
    const recorded = await reportAt(PROFILE, dropSuppressed(recordEventOnce(groupCommit, caller, input)));
    return { status: 202, isRepeatable: recorded?.replayed ?? false };
  };
}
