import type { Operations } from '../../generated/native/operations.gen.ts';
import { recordProfile } from '../domain/record-profile.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { toIdentifiers } from './representations/event.ts';
import { renderProfile } from './representations/profile.ts';

export function upsertProfile(groupCommit: GroupCommit): Handler<Operations, 'upsertProfile'> {
  return async ({ request, caller }) => {
    const { identifiers, attributes = {} } = request.body;
    const { profile, created } = await recordProfile(groupCommit, caller, {
      identifiers: toIdentifiers(identifiers, caller),
      patch: { set: attributes },
    });
    return { status: created ? 201 : 200, body: renderProfile(profile), isRepeatable: true };
  };
}
