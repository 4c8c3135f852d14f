import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { createEndpoint, type EndpointWithSecret } from '../domain/webhooks/endpoints/endpoints.ts';
import type { SecretsOfEndpoints } from '../domain/webhooks/endpoints/sealed-secrets.ts';
import type { UrlRules } from '../domain/webhooks/endpoints/url.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderEndpointWithSecret } from './representations/webhook.ts';
import { keptSecret } from './webhook-secret.ts';

export function createWebhookEndpoint(
  writing: WithConnection,
  { rules, secrets }: { rules: UrlRules; secrets: SecretsOfEndpoints },
): Handler<Operations, 'createWebhookEndpoint'> {
  return async ({ request, caller }) => {
    const {
      url,
      name,
      max_per_second: maxPerSecond = 50,
      max_concurrent: maxConcurrent = 10,
      secret_headers,
    } = request.body;
    const { storeId } = caller;
    const input = { url, name, maxPerSecond, maxConcurrent, secretHeaders: secret_headers };
    return await performOnce(
      caller,
      { operation: 'createWebhookEndpoint', key: request.body.idempotency_key, request },
      {
        perform: (once: Once<EndpointWithSecret>) =>
          writing(storeId, (db) => createEndpoint(db, storeId, input, { rules, secrets }, once)),
        answer: (created) => ({ status: 201 as const, body: renderEndpointWithSecret(created) }),
        ...keptSecret(writing, storeId, secrets),
      },
    );
  };
}
