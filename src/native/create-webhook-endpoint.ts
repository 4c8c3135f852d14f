import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { createEndpoint } from '../domain/webhooks/endpoints.ts';
import type { UrlRules } from '../domain/webhooks/url.ts';
import type { Handler } from '../http/handler.ts';
import { renderEndpointWithSecret } from './representations/webhook.ts';

export function createWebhookEndpoint(
  writing: WithConnection,
  rules: UrlRules,
): Handler<Operations, 'createWebhookEndpoint'> {
  return async ({ request, caller: { storeId } }) => {
    const { url, name, max_per_second: maxPerSecond = 50, max_concurrent: maxConcurrent = 10 } = request.body;
    const input = { url, name, maxPerSecond, maxConcurrent };
    const created = await writing(storeId, (db) => createEndpoint(db, storeId, input, rules));
    return { status: 201, body: renderEndpointWithSecret(created) };
  };
}
