import type { WebhookEndpointWithSecret } from '../../generated/native/types.gen.ts';
import { digestOf } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { findSecret } from '../domain/webhooks/endpoints/endpoints.ts';
import type { SecretsOfEndpoints } from '../domain/webhooks/endpoints/sealed-secrets.ts';

/**
 * Of an answer with a secret, its digest is kept: who repeats the request sees the secret again while it is current. That
 * is nobody else than the API key that was to have it, in case the first response got lost.
 */
export function keptSecret(writing: WithConnection, storeId: string, secrets: SecretsOfEndpoints) {
  return {
    keep: ({ secret, endpoint }: WebhookEndpointWithSecret) => ({ secret: digest(secret), endpoint }),
    show: async (kept: unknown, isOwn: boolean): Promise<WebhookEndpointWithSecret> => {
      const { secret, endpoint } = kept as WebhookEndpointWithSecret;
      const current = isOwn ? await writing(storeId, (db) => findSecret(db, storeId, endpoint.id, secrets)) : undefined;
      return { secret: current !== undefined && digest(current) === secret ? current : null, endpoint };
    },
  };
}

function digest(secret: string | null): string {
  return digestOf(secret).toString('base64');
}
