import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteCategory } from '../domain/catalog/categories.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { categoryId, existingCategory } from './catalog-ids.ts';
import { renderCategory } from './representations/catalog.ts';

export function deleteCatalogCategory(writing: WithConnection): Handler<Operations, 'deleteCatalogCategory'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const deleted = await writing(storeId, (db) => deleteCategory(db, storeId, categoryId(path.id)));
    return { status: 200, body: renderCategory(existingCategory(deleted)) };
  };
}
