import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteSubscription } from '../domain/catalog/subscriptions/subscriptions.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingSubscription, subscriptionId } from './catalog-ids.ts';
import { renderSubscription } from './representations/catalog.ts';

export function deleteCatalogSubscription(writing: WithConnection): Handler<Operations, 'deleteCatalogSubscription'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const deleted = await writing(storeId, (db) => deleteSubscription(db, storeId, subscriptionId(path.id)));
    return { status: 200, body: renderSubscription(existingSubscription(deleted)) };
  };
}
