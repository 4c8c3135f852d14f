import type { Operations } from '../../generated/native/operations.gen.ts';
import { findItem } from '../domain/catalog/read-items.ts';
import { writeItems } from '../domain/catalog/write/write-items.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingItem } from './catalog-ids.ts';
import { renderItem, toItemPatch } from './representations/catalog.ts';

export function upsertCatalogItem(writing: WithConnection): Handler<Operations, 'upsertCatalogItem'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    const patch = toItemPatch(body);
    return await writing(storeId, async (db) => {
      const [outcome] = await writeItems(db, storeId, [patch], { refuses: () => [] });
      const item = existingItem(await findItem(db, storeId, patch.id));
      return { status: outcome?.status === 'created' ? 201 : 200, body: renderItem(item), isRepeatable: true };
    });
  };
}
