import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { searchLists } from '../domain/lists/search-lists.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderList } from './representations/list.ts';

export function listLists(stores: StoreData): Handler<Operations, 'listLists'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { name, source_id: sourceId } = query;
    const search = { names: name === undefined ? undefined : [name], sourceId, latestFirst: true };
    const { items, next } = await searchLists(stores.of(storeId), storeId, search, toPageRequest(query));
    return { status: 200, body: { lists: items.map(renderList), next_cursor: next } };
  };
}
