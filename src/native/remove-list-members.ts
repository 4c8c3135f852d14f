import type { Operations } from '../../generated/native/operations.gen.ts';
import { removeMembers } from '../domain/lists/change-members.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingList, listId } from './get-list.ts';
import { countOf, renderOutcomes, toCustomer } from './representations/list-outcomes.ts';

export function removeListMembers(writing: WithConnection): Handler<Operations, 'removeListMembers'> {
  return async ({ request: { path, body }, caller }) => {
    const { storeId } = caller;
    const id = listId(path.id);
    const customers = body.members.map((member) => toCustomer(member, caller));
    const outcomes = await writing(storeId, (db) => removeMembers(db, storeId, id, customers));
    const members = renderOutcomes(existingList(outcomes));
    const counts = {
      removed: countOf(members, 'removed'),
      unchanged: countOf(members, 'unchanged'),
      rejected: countOf(members, 'rejected'),
    };
    return { status: 200, body: { ...counts, members }, isRepeatable: true };
  };
}
