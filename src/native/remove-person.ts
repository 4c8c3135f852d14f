import type { Operations } from '../../generated/native/operations.gen.ts';
import { removePerson as remove } from '../domain/people/people.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { existingPerson, renderPerson } from './representations/person.ts';

export function removePerson(writing: WithConnection): Handler<Operations, 'removePerson'> {
  return async ({ request: { path }, caller }) => {
    if (!isId(path.id)) return existingPerson(undefined) as never;
    const removal = { personId: path.id, by: caller };
    const removed = await writing(caller.storeId, (_db, shared) => remove(shared, caller.storeId, removal));
    return { status: 200, body: renderPerson(existingPerson(removed)) };
  };
}
