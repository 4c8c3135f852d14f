import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { deleteEndpoint } from '../domain/webhooks/endpoints/endpoints.ts';
import type { Handler } from '../http/handler.ts';
import { renderEndpoint } from './representations/webhook.ts';
import { endpointId, existingEndpoint } from './webhook-ids.ts';

export function deleteWebhookEndpoint(writing: WithConnection): Handler<Operations, 'deleteWebhookEndpoint'> {
  return async ({ request, caller: { storeId } }) => {
    const id = endpointId(request.path.id);
    const deleted = await writing(storeId, (db) => deleteEndpoint(db, storeId, id));
    return { status: 200, body: renderEndpoint(existingEndpoint(deleted)), isRepeatable: true };
  };
}
