import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { updateEndpoint } from '../domain/webhooks/endpoints/endpoints.ts';
import type { SecretsOfEndpoints } from '../domain/webhooks/endpoints/sealed-secrets.ts';
import type { UrlRules } from '../domain/webhooks/endpoints/url.ts';
import type { Handler } from '../http/handler.ts';
import { renderEndpoint } from './representations/webhook.ts';
import { endpointId, existingEndpoint } from './webhook-ids.ts';

export function updateWebhookEndpoint(
  writing: WithConnection,
  rules: { rules: UrlRules; secrets: SecretsOfEndpoints },
): Handler<Operations, 'updateWebhookEndpoint'> {
  return async ({ request, caller: { storeId } }) => {
    const {
      url,
      name,
      max_per_second: maxPerSecond,
      max_concurrent: maxConcurrent,
      secret_headers,
      status,
    } = request.body;
    const change = { url, name, maxPerSecond, maxConcurrent, secretHeaders: secret_headers, status };
    const id = endpointId(request.path.id);
    const updated = await writing(storeId, (db) => updateEndpoint(db, storeId, id, change, rules));
    return { status: 200, body: renderEndpoint(existingEndpoint(updated)), isRepeatable: true };
  };
}
