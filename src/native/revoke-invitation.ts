import type { Operations } from '../../generated/native/operations.gen.ts';
import { revokeInvitation as revoke } from '../domain/people/invitations.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { renderInvitation } from './representations/person.ts';

export function revokeInvitation(writing: WithConnection): Handler<Operations, 'revokeInvitation'> {
  return async ({ request: { path }, caller }) => {
    const { storeId } = caller;
    const removal = { id: path.id, by: caller };
    const revoked = isId(path.id)
      ? await writing(storeId, (_db, shared) => revoke(shared, storeId, removal))
      : undefined;
    if (!revoked) throw new ServiceError('not_found', 'There is no such open invitation');
    return { status: 200, body: renderInvitation(revoked) };
  };
}
