import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteItems } from '../domain/catalog/delete-items.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';

export function deleteCatalogItems(writing: WithConnection): Handler<Operations, 'deleteCatalogItems'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    const deleted = await writing(storeId, (db) => deleteItems(db, storeId, body.ids));
    return { status: 200, body: { deleted, unknown: body.ids.length - deleted }, isRepeatable: true };
  };
}
