import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listDeliveries } from '../domain/webhooks/deliveries/deliveries.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest, toTimeRange } from './query.ts';
import { renderDeliverySummary } from './representations/webhook.ts';
import { endpointId, existingEndpoint } from './webhook-ids.ts';

export function listWebhookDeliveries(stores: StoreData): Handler<Operations, 'listWebhookDeliveries'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const filter = { status: query.status, ...toTimeRange(query) };
    const id = endpointId(path.id);
    const page = await listDeliveries(stores.of(storeId), storeId, id, filter, toPageRequest(query));
    const { items, next } = existingEndpoint(page);
    return { status: 200, body: { deliveries: items.map(renderDeliverySummary), next_cursor: next } };
  };
}
