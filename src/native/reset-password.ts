import type { Operations } from '../../generated/native/operations.gen.ts';
import { resetPassword as reset, resetLink } from '../domain/people/password-resets.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { existingPerson } from './representations/person.ts';

export function resetPassword(writing: WithConnection): Handler<Operations, 'resetPassword'> {
  return async ({ request: { path }, caller, base }) => {
    if (!isId(path.id)) return existingPerson(undefined) as never;
    const of = { personId: path.id, by: caller };
    const made = existingPerson(await writing(caller.storeId, (_db, shared) => reset(shared, caller.storeId, of)));
    const link = resetLink(new URL(base()).origin, made.token);
    return { status: 200, body: { link, expires_at: made.expiresAt.toISOString() } };
  };
}
