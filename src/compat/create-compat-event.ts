import type { Operations } from '../../generated/compat/operations.gen.ts';
import { type FindReplay, recordEvent } from '../domain/record-event.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { reportAt } from './document/error.ts';
import { toEventDocument, toEventInput } from './document/event.ts';
import { partialFailure } from './document/profile.ts';

const PROFILE = ['data', 'attributes', 'profile', 'data'];

export function createCompatEvent(
  groupCommit: GroupCommit,
  findReplay: FindReplay,
): Handler<Operations, 'createCompatEvent'> {
  return async ({ request, caller }) => {
    const input = toEventInput(request.body, caller);
    const { event, replayed } = await reportAt(PROFILE, recordEvent(groupCommit, findReplay, caller, input));
    const headers = partialFailure([request.body.data.attributes.profile.data]);
    return { status: 202, body: toEventDocument(event), headers, isRepeatable: replayed };
  };
}
