import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteItems } from '../domain/catalog/delete-items.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingItem, itemId } from './catalog-ids.ts';

export function deleteCatalogItem(writing: WithConnection): Handler<Operations, 'deleteCatalogItem'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const deleted = await writing(storeId, (db) => deleteItems(db, storeId, [itemId(path.id)]));
    return { status: 200, body: { deleted: existingItem(deleted || undefined), unknown: 0 } };
  };
}
