import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findImport } from '../domain/imports/files/find-imports.ts';
import type { Handler } from '../http/handler.ts';
import { existingImport, importId } from './import-ids.ts';
import { renderImport } from './representations/import.ts';

export function getImport(stores: StoreData): Handler<Operations, 'getImport'> {
  return async ({ request, caller: { storeId } }) => {
    const found = await findImport(stores.of(storeId), storeId, importId(request.path.id));
    return { status: 200, body: renderImport(existingImport(found)) };
  };
}
