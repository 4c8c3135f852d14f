import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listEndpoints } from '../domain/webhooks/endpoints/find-endpoints.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderEndpoint } from './representations/webhook.ts';

export function listWebhookEndpoints(stores: StoreData): Handler<Operations, 'listWebhookEndpoints'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const filter = { isDeleted: query.deleted };
    const { items, next } = await listEndpoints(stores.of(storeId), storeId, filter, toPageRequest(query));
    return { status: 200, body: { endpoints: items.map(renderEndpoint), next_cursor: next } };
  };
}
