import type { Operations } from '../../generated/compat/operations.gen.ts';
import { recordEvents } from '../domain/record-event.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { toClientEventInputs } from './document/client.ts';
import { reportAt } from './document/error.ts';

const PROFILE = ['data', 'attributes', 'profile', 'data'];

export function createClientEvents(groupCommit: GroupCommit): Handler<Operations, 'createClientEvents'> {
  return async ({ request, caller }) => {
    const inputs = toClientEventInputs(request.body.data);
    if (inputs.length > 0) await reportAt(PROFILE, recordEvents(groupCommit, caller, inputs));
    return { status: 202 };
  };
}
