import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listSubscriptions } from '../domain/catalog/subscriptions/subscriptions.ts';
import { currentId } from '../domain/profile-aliases.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderSubscription } from './representations/catalog.ts';

export function listCatalogSubscriptions(stores: StoreData): Handler<Operations, 'listCatalogSubscriptions'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const sql = stores.of(storeId);
    const { item_id: itemId, profile_id, waiting: isWaiting } = query;
    const profileId = profile_id === undefined ? undefined : await currentId(sql, storeId, profile_id);
    const filter = { itemId, profileId, isWaiting };
    const { items, next } = await listSubscriptions(sql, storeId, filter, toPageRequest(query));
    return { status: 200, body: { subscriptions: items.map(renderSubscription), next_cursor: next } };
  };
}
