import type { Operations } from '../../generated/native/operations.gen.ts';
import type { EventBatchResult, RejectedEvent } from '../../generated/native/types.gen.ts';
import { recordEvents } from '../domain/record-event.ts';
import { clip, describe, fieldOf, type Violation } from '../domain/service-error.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { parseEventInput } from './representations/event.ts';

export function createEventsBulk(groupCommit: GroupCommit): Handler<Operations, 'createEventsBulk'> {
  return async ({ request, caller, rejected }) => {
    const { events } = request.body;
    const valid = events.filter((_, index) => !rejected.has(index));
    const inputs = valid.map((event) => parseEventInput(event, caller));
    const recorded = (await recordEvents(groupCommit, caller, inputs)).values();
    const results = events.map((_, index): EventBatchResult['events'][number] => {
      const violation = rejected.get(index);
      if (violation) return toRejected(index, violation);
      const { event, replayed } = recorded.next().value as { event: { id: string }; replayed: boolean };
      return { index, id: event.id, status: replayed ? 'duplicate' : 'created' };
    });
    const count = (status: string) => results.filter((result) => result.status === status).length;
    const body = {
      created: count('created'),
      duplicates: count('duplicate'),
      rejected: rejected.size,
      events: results,
    };
    return { status: 201, body };
  };
}

function toRejected(index: number, violation: Violation): RejectedEvent {
  const field = clip(fieldOf(violation.path) ?? '', 1000);
  return { index, status: 'rejected', error: { code: 'validation_error', message: describe(violation), field } };
}
