import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findList } from '../domain/lists/lists.ts';
import { readMembers } from '../domain/lists/read-members.ts';
import type { Handler } from '../http/handler.ts';
import { existingList, listId } from './get-list.ts';
import { toPageRequest } from './query.ts';
import { renderMember } from './representations/list.ts';

export function listListMembers(stores: StoreData): Handler<Operations, 'listListMembers'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const sql = stores.of(storeId);
    const { id } = existingList(await findList(sql, storeId, listId(path.id)));
    const { items, next } = await readMembers(sql, storeId, id, toPageRequest(query));
    return { status: 200, body: { members: items.map(renderMember), next_cursor: next } };
  };
}
