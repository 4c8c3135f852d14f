import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findDelivery } from '../domain/webhooks/deliveries/deliveries.ts';
import type { Handler } from '../http/handler.ts';
import { renderDelivery } from './representations/webhook.ts';
import { deliveryId, existingDelivery } from './webhook-ids.ts';

export function getWebhookDelivery(stores: StoreData): Handler<Operations, 'getWebhookDelivery'> {
  return async ({ request, caller: { storeId } }) => {
    const found = await findDelivery(stores.of(storeId), storeId, deliveryId(request.path.id));
    return { status: 200, body: renderDelivery(existingDelivery(found)) };
  };
}
