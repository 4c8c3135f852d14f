import type { Operations } from '../../generated/compat/operations.gen.ts';
import { recordProfile } from '../domain/record-profile.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import { dropSuppressed } from '../domain/write/suppressed.ts';
import type { Handler } from '../http/handler.ts';
import { toClientProfile } from './document/client.ts';
import { reportAt } from './document/error.ts';

export function createClientProfile(groupCommit: GroupCommit): Handler<Operations, 'createClientProfile'> {
  return async ({ request, caller }) => {
    const change = toClientProfile(request.body.data, ['data'], caller);
    await reportAt(['data'], dropSuppressed(recordProfile(groupCommit, caller, change)));
    return { status: 202, isRepeatable: true };
  };
}
