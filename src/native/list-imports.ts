import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listImports as list } from '../domain/imports/files/find-imports.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderImport } from './representations/import.ts';

export function listImports(stores: StoreData): Handler<Operations, 'listImports'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { items, next } = await list(stores.of(storeId), storeId, toPageRequest(query));
    return { status: 200, body: { imports: items.map(renderImport), next_cursor: next } };
  };
}
