import type { Operations } from '../../generated/native/operations.gen.ts';
import { completeSync } from '../domain/catalog/syncs.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingSync, syncId } from './catalog-ids.ts';
import { renderSync } from './representations/catalog.ts';

export function completeCatalogSync(writing: WithConnection): Handler<Operations, 'completeCatalogSync'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const id = syncId(path.id);
    const sync = await writing(storeId, (db) => completeSync(db, storeId, id));
    return { status: 200, body: renderSync(existingSync(sync)), isRepeatable: true };
  };
}
