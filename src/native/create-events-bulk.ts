import type { Operations } from '../../generated/native/operations.gen.ts';
import type { EventBatchResult, RejectedEvent } from '../../generated/native/types.gen.ts';
import { type RecordedOnce, recordEvents } from '../domain/record-event.ts';
import { clip, describe, fieldOf, invalidAll, ServiceError, type Violation } from '../domain/service-error.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { parseEventInput, violationAt } from './representations/event.ts';

export function createEventsBulk(groupCommit: GroupCommit): Handler<Operations, 'createEventsBulk'> {
  return async ({ request, caller, rejected }) => {
    const { events } = request.body;
    const valid = events.filter((_, index) => !rejected.has(index));
    const inputs = valid.map((event) => parseEventInput(event, caller));
    const isAllOrNothing = request.body.on_invalid !== 'skip';
    const recorded = (await recordEvents(groupCommit, caller, inputs, { isAllOrNothing })).values();
    const refused: Violation[] = [];
    const results = events.map((_, index): EventBatchResult['events'][number] => {
      const invalid = rejected.get(index);
      if (invalid) return toRejected(index, invalid);
      const one = recorded.next().value as RecordedOnce | ServiceError;
      if (!(one instanceof ServiceError)) {
        return { index, id: one.event.id, status: one.replayed ? 'duplicate' : 'created' };
      }
      const violation = violationAt(['events', index], one);
      refused.push(violation);
      return toRejected(index, violation);
    });
    if (isAllOrNothing && refused.length > 0) throw invalidAll(refused);
    const count = (status: string) => results.filter((result) => result.status === status).length;
    const body = {
      created: count('created'),
      duplicates: count('duplicate'),
      rejected: count('rejected'),
      events: results,
    };
    return { status: 201, body };
  };
}

function toRejected(index: number, violation: Violation): RejectedEvent {
  const field = clip(fieldOf(violation.path) ?? '', 1000);
  return { index, status: 'rejected', error: { code: 'validation_error', message: describe(violation), field } };
}
