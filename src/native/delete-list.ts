import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteList as remove } from '../domain/lists/lists.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingList, listId } from './get-list.ts';
import { renderList } from './representations/list.ts';

export function deleteList(writing: WithConnection): Handler<Operations, 'deleteList'> {
  return async ({ request, caller: { storeId } }) => {
    const id = listId(request.path.id);
    const deleted = await writing(storeId, (db) => remove(db, storeId, id));
    return { status: 200, body: renderList(existingList(deleted)) };
  };
}
