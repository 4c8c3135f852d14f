import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findEndpoint } from '../domain/webhooks/endpoints/find-endpoints.ts';
import type { Handler } from '../http/handler.ts';
import { renderEndpoint } from './representations/webhook.ts';
import { endpointId, existingEndpoint } from './webhook-ids.ts';

export function getWebhookEndpoint(stores: StoreData): Handler<Operations, 'getWebhookEndpoint'> {
  return async ({ request, caller: { storeId } }) => {
    const found = await findEndpoint(stores.of(storeId), storeId, endpointId(request.path.id));
    return { status: 200, body: renderEndpoint(existingEndpoint(found)) };
  };
}
