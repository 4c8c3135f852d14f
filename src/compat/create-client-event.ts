import type { Operations } from '../../generated/compat/operations.gen.ts';
import { recordEventOnce } from '../domain/record-event.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { toClientEventInput } from './document/client.ts';
import { reportAt } from './document/error.ts';

const PROFILE = ['data', 'attributes', 'profile', 'data'];

export function createClientEvent(groupCommit: GroupCommit): Handler<Operations, 'createClientEvent'> {
  return async ({ request, caller }) => {
    const { replayed } = await reportAt(
      PROFILE,
      recordEventOnce(groupCommit, caller, toClientEventInput(request.body)),
    );
    return { status: 202, isRepeatable: replayed };
  };
}
