import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { rotateSecret } from '../domain/webhooks/endpoints.ts';
import type { Handler } from '../http/handler.ts';
import { renderEndpointWithSecret } from './representations/webhook.ts';
import { endpointId, existingEndpoint } from './webhook-ids.ts';

export function rotateWebhookSecret(writing: WithConnection): Handler<Operations, 'rotateWebhookSecret'> {
  return async ({ request, caller: { storeId } }) => {
    const id = endpointId(request.path.id);
    const rotated = await writing(storeId, (db) => rotateSecret(db, storeId, id));
    return { status: 200, body: renderEndpointWithSecret(existingEndpoint(rotated)) };
  };
}
