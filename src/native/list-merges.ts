import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listMerges as list } from '../domain/merges/find-merges.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderMerge } from './representations/merge.ts';

export function listMerges(stores: StoreData): Handler<Operations, 'listMerges'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { items, next } = await list(stores.of(storeId), storeId, toPageRequest(query));
    return { status: 200, body: { merges: items.map((merge) => renderMerge(merge)), next_cursor: next } };
  };
}
