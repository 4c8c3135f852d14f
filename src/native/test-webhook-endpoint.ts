import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Send } from '../domain/webhooks/deliveries/attempt.ts';
import type { SecretsOfEndpoints } from '../domain/webhooks/endpoints/sealed-secrets.ts';
import { testEndpoint } from '../domain/webhooks/sending/test-endpoint.ts';
import type { Handler } from '../http/handler.ts';
import { renderDelivery } from './representations/webhook.ts';
import { endpointId, existingEndpoint } from './webhook-ids.ts';

export function testWebhookEndpoint(
  writing: WithConnection,
  { send, secrets: { secrets } }: { send: Send; secrets: SecretsOfEndpoints },
): Handler<Operations, 'testWebhookEndpoint'> {
  return async ({ request, caller: { storeId }, deadline }) => {
    const sendApart: Send = (webhook, timeoutMs) => deadline.except(send(webhook, timeoutMs));
    const delivery = await testEndpoint(writing, storeId, endpointId(request.path.id), {
      send: sendApart,
      secrets,
    });
    return { status: 200, body: renderDelivery(existingEndpoint(delivery)) };
  };
}
