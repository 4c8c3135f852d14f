import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readListsOf } from '../domain/lists/read-members.ts';
import type { Handler } from '../http/handler.ts';
import { existingProfile } from './get-profile.ts';
import { toPageRequest } from './query.ts';
import { renderListOfProfile } from './representations/list.ts';

export function listProfileLists(stores: StoreData): Handler<Operations, 'listProfileLists'> {
  return async ({ request: { path, query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { id } = await existingProfile(sql, caller, path.id);
    const { items, next } = await readListsOf(sql, caller.storeId, id, toPageRequest(query));
    return { status: 200, body: { lists: items.map(renderListOfProfile), next_cursor: next } };
  };
}
