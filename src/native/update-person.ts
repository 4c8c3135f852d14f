import type { Operations } from '../../generated/native/operations.gen.ts';
import { changeRole } from '../domain/people/people.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { existingPerson, renderPerson } from './representations/person.ts';

export function updatePerson(writing: WithConnection): Handler<Operations, 'updatePerson'> {
  return async ({ request: { path, body }, caller }) => {
    if (!isId(path.id)) return existingPerson(undefined) as never;
    const change = { personId: path.id, role: body.role, by: caller };
    const changed = await writing(caller.storeId, (_db, shared) => changeRole(shared, caller.storeId, change));
    return { status: 200, body: renderPerson(existingPerson(changed)), isRepeatable: true };
  };
}
