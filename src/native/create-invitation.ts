import type { Operations } from '../../generated/native/operations.gen.ts';
import type { CreatedInvitation } from '../../generated/native/types.gen.ts';
import { type Invitation, invite } from '../domain/people/invitations.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderInvitation } from './representations/person.ts';

interface Made {
  invitation: Invitation;
  token: string;
}

export function createInvitation(writing: WithConnection): Handler<Operations, 'createInvitation'> {
  return async ({ request, caller, base }) => {
    const { email, role, idempotency_key } = request.body;
    const { storeId } = caller;
    return await performOnce(
      caller,
      { operation: 'createInvitation', key: idempotency_key, request },
      {
        perform: (once) =>
          writing(storeId, (_db, shared) =>
            shared.transaction().execute((tx) => once(tx, () => invite(tx, storeId, { email, role }, caller))),
          ),
        answer: ({ invitation, token }: Made) => {
          const link = `${new URL('/dashboard/invitation', base())}#${token}`;
          return { status: 201 as const, body: { link, invitation: renderInvitation(invitation) } };
        },
        keep: withoutLink,
      },
    );
  };
}

/** Links are stored nowhere. */
function withoutLink({ invitation }: CreatedInvitation): CreatedInvitation {
  return { link: null, invitation };
}
