import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listRowErrors } from '../domain/imports/files/find-imports.ts';
import type { Handler } from '../http/handler.ts';
import { existingImport, importId } from './import-ids.ts';
import { toPageRequest } from './query.ts';
import { renderRowError } from './representations/import.ts';

export function listImportErrors(stores: StoreData): Handler<Operations, 'listImportErrors'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const page = await listRowErrors(stores.of(storeId), storeId, importId(path.id), toPageRequest(query));
    const { items, next } = existingImport(page);
    return { status: 200, body: { errors: items.map(renderRowError), next_cursor: next } };
  };
}
