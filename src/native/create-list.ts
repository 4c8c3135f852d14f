import type { Operations } from '../../generated/native/operations.gen.ts';
import { createList as create } from '../domain/lists/lists.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderList } from './representations/list.ts';

export function createList(writing: WithConnection): Handler<Operations, 'createList'> {
  return async ({ request, caller: { storeId } }) => {
    const { name, source_id: sourceId = null } = request.body;
    const created = await writing(storeId, (db) => create(db, storeId, { name, sourceId }));
    return { status: 201, body: renderList(created) };
  };
}
