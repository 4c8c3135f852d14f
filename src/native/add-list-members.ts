import type { Operations } from '../../generated/native/operations.gen.ts';
import { addMembers } from '../domain/lists/change-members.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingList, listId } from './get-list.ts';
import { countOf, renderOutcomes, toCustomer } from './representations/list-outcomes.ts';

export function addListMembers(writing: WithConnection): Handler<Operations, 'addListMembers'> {
  return async ({ request: { path, body }, caller }) => {
    const { storeId } = caller;
    const id = listId(path.id);
    const customers = body.members.map((member) => toCustomer(member, caller));
    const manner = { how: 'api', source: body.source ?? null } as const;
    const outcomes = await writing(storeId, (db) => addMembers(db, storeId, id, customers, manner));
    const members = renderOutcomes(existingList(outcomes));
    const counts = {
      added: countOf(members, 'added'),
      unchanged: countOf(members, 'unchanged'),
      rejected: countOf(members, 'rejected'),
    };
    return { status: 200, body: { ...counts, members }, isRepeatable: true };
  };
}
