import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { type EndpointWithSecret, rotateSecret } from '../domain/webhooks/endpoints/endpoints.ts';
import type { SecretsOfEndpoints } from '../domain/webhooks/endpoints/sealed-secrets.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderEndpointWithSecret } from './representations/webhook.ts';
import { endpointId, existingEndpoint } from './webhook-ids.ts';
import { keptSecret } from './webhook-secret.ts';

export function rotateWebhookSecret(
  writing: WithConnection,
  secrets: SecretsOfEndpoints,
): Handler<Operations, 'rotateWebhookSecret'> {
  return async ({ request: { path, headers }, caller }) => {
    const { storeId } = caller;
    const id = endpointId(path.id);
    return await performOnce(
      caller,
      { operation: 'rotateWebhookSecret', key: headers?.['Idempotency-Key'], request: { path } },
      {
        perform: (once: Once<EndpointWithSecret | undefined>) =>
          writing(storeId, (db) => rotateSecret(db, storeId, id, secrets, once)),
        answer: (rotated) => ({ status: 200 as const, body: renderEndpointWithSecret(existingEndpoint(rotated)) }),
        ...keptSecret(writing, storeId, secrets),
      },
    );
  };
}
