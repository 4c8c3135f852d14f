import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readListsOf } from '../domain/lists/read-members.ts';
import { ServiceError } from '../domain/service-error.ts';
import { findProfileIds } from '../domain/write/look-up.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { toPageRequest } from './query.ts';
import { renderListOfProfile } from './representations/list.ts';

export function listProfileLists(stores: StoreData): Handler<Operations, 'listProfileLists'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const sql = stores.of(storeId);
    const asked = path.id.toLowerCase();
    const id = isId(asked) ? (await findProfileIds(sql, storeId, [asked])).get(asked) : undefined;
    if (id === undefined) throw new ServiceError('not_found', 'There is no such profile');
    const { items, next } = await readListsOf(sql, storeId, id, toPageRequest(query));
    return { status: 200, body: { lists: items.map(renderListOfProfile), next_cursor: next } };
  };
}
