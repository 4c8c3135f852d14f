import type { Operations } from '../../generated/compat/operations.gen.ts';
import { lastEventTime } from '../domain/record-event.ts';
import { recordProfile } from '../domain/record-profile.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import type { Handler } from '../http/handler.ts';
import { reportAt } from './document/error.ts';
import { toProfileChange, toProfileDocument } from './document/profile.ts';

export function createCompatProfile(
  groupCommit: GroupCommit,
  reading: WithConnection,
): Handler<Operations, 'createCompatProfile'> {
  return async ({ request, caller, base }) => {
    const change = toProfileChange(request.body.data);
    const { profile, created } = await reportAt(['data'], recordProfile(groupCommit, caller, change));
    const lastEventAt = created ? null : await reading(caller.storeId, (db) => lastEventTime(db, caller, profile.id));
    const self = `${base()}/profiles/${profile.id}`;
    return { status: 201, body: toProfileDocument(profile, lastEventAt, self), isRepeatable: true };
  };
}
