import type { Operations } from '../../generated/native/operations.gen.ts';
import { upsertCategory } from '../domain/catalog/categories.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderCategory } from './representations/catalog.ts';

export function upsertCatalogCategory(writing: WithConnection): Handler<Operations, 'upsertCatalogCategory'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    const { id, title, parent_id: parentId } = body;
    const { isNew, ...category } = await writing(storeId, (db) => upsertCategory(db, storeId, { id, title, parentId }));
    return { status: isNew ? 201 : 200, body: renderCategory(category), isRepeatable: true };
  };
}
