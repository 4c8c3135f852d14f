import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findOrder } from '../domain/orders/find-orders.ts';
import { ServiceError } from '../domain/service-error.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';
import { renderOrder } from './representations/orders.ts';

export function getOrder(stores: StoreData): Handler<Operations, 'getOrder'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const order = path.id.includes('\0') ? undefined : await findOrder(stores.of(storeId), storeId, path.id);
    if (!order) throw new ServiceError('not_found', 'There is no such order');
    const { currency } = await readStoreSettings(stores.shared, storeId);
    return { status: 200, body: renderOrder(order, currency) };
  };
}
