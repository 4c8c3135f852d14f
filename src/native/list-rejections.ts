import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readRejections } from '../domain/reading/rejections.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderRejection } from './representations/rejection.ts';

export function listRejections(stores: StoreData): Handler<Operations, 'listRejections'> {
  return async ({ request: { query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { items, next } = await readRejections(sql, caller, toPageRequest(query));
    return { status: 200, body: { rejections: items.map(renderRejection), next_cursor: next } };
  };
}
