import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteList as remove } from '../domain/audiences/deletion.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { List } from '../domain/lists/lists.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingList, listId } from './get-list.ts';
import { performOnce } from './once.ts';
import { renderList } from './representations/list.ts';

export function deleteList(writing: WithConnection): Handler<Operations, 'deleteList'> {
  return async ({ request: { path }, caller }) => {
    const id = listId(path.id);
    return await performOnce(
      caller,
      // A list can be deleted once.
      { operation: 'deleteList', key: id, request: {} },
      {
        perform: (once: Once<List | undefined>) =>
          writing(caller.storeId, (db) => remove(db, caller.storeId, id, once)),
        answer: (deleted) => ({ status: 200 as const, body: renderList(existingList(deleted)) }),
      },
    );
  };
}
