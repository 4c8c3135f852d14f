import type { Operations } from '../../generated/native/operations.gen.ts';
import { updateList as update } from '../domain/lists/lists.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingList, listId } from './get-list.ts';
import { expectUsable, toOptIn } from './list-opt-in.ts';
import { renderList } from './representations/list.ts';

export function updateList(writing: WithConnection): Handler<Operations, 'updateList'> {
  return async ({ request: { path, body }, caller }) => {
    const { storeId } = caller;
    const optIn = toOptIn(body, caller);
    const change = {
      name: body.name,
      sourceId: body.source_id,
      topic: body.topic,
      publicName: body.public_name,
      ...optIn,
    };
    const id = listId(path.id);
    const updated = await writing(storeId, async (db) => {
      await expectUsable(db, storeId, optIn);
      return await update(db, storeId, id, change);
    });
    return { status: 200, body: renderList(existingList(updated)), isRepeatable: true };
  };
}
