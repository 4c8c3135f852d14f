import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listOrders as readOrders } from '../domain/orders/find-orders.ts';
import { currentId } from '../domain/profile-aliases.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest, toTimeRange } from './query.ts';
import { renderOrder } from './representations/orders.ts';

export function listOrders(stores: StoreData): Handler<Operations, 'listOrders'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const sql = stores.of(storeId);
    const { profile_id: asked } = query;
    const profileId = asked === undefined ? undefined : await currentId(sql, storeId, asked);
    const { items, next } = await readOrders(sql, storeId, { profileId, ...toTimeRange(query) }, toPageRequest(query));
    const { currency } = await readStoreSettings(stores.shared, storeId);
    return { status: 200, body: { orders: items.map((order) => renderOrder(order, currency)), next_cursor: next } };
  };
}
