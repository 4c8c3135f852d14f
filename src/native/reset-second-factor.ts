import type { Operations } from '../../generated/native/operations.gen.ts';
import { resetSecondFactor as reset } from '../domain/people/password-resets.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { existingPerson, renderPerson } from './representations/person.ts';

export function resetSecondFactor(writing: WithConnection): Handler<Operations, 'resetSecondFactor'> {
  return async ({ request: { path }, caller }) => {
    if (!isId(path.id)) return existingPerson(undefined) as never;
    const of = { personId: path.id, by: caller };
    const changed = await writing(caller.storeId, (_db, shared) => reset(shared, caller.storeId, of));
    return { status: 200, body: renderPerson(existingPerson(changed)), isRepeatable: true };
  };
}
