import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import { readRejections } from '../domain/reading/rejections.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderRejection } from './representations/rejection.ts';

export function listRejections(stores: StoreData): Handler<Operations, 'listRejections'> {
  const names = new KeyNames(stores.shared);
  return async ({ request: { query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { items, next } = await readRejections(sql, names, caller, toPageRequest(query));
    return { status: 200, body: { rejections: items.map(renderRejection), next_cursor: next } };
  };
}
