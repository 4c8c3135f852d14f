import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKey, CreatedApiKey } from '../../generated/native/types.gen.ts';
import type { ApiKeys, CreatedKey } from '../domain/api-keys/api-keys.ts';
import { createStoreKey } from '../domain/api-keys/store-keys.ts';
import { parseTime } from '../domain/event-time.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { Handler } from '../http/handler.ts';
import type { RateLimitUses } from '../http/rate-limit.ts';
import { performOnce } from './once.ts';
import { toApiKeys } from './representations/api-key.ts';

export function createApiKey(keys: ApiKeys, usesOf: RateLimitUses): Handler<Operations, 'createApiKey'> {
  return async ({ request, caller }) => {
    const { name, scopes, expires_at, idempotency_key } = request.body;
    const expiresAt = (expires_at && parseTime(expires_at)) || null;
    return await performOnce(
      caller,
      { operation: 'createApiKey', key: idempotency_key, request },
      {
        perform: (once: Once<CreatedKey>) => createStoreKey(keys, caller, { name, scopes, expiresAt }, once),
        answer: async ({ record, key }) => {
          const [apiKey] = (await toApiKeys([record], usesOf)) as [ApiKey];
          return { status: 201 as const, body: { key, api_key: apiKey } };
        },
        keep: withoutSecret,
      },
    );
  };
}

/** Secret keys are stored nowhere. */
function withoutSecret({ api_key }: CreatedApiKey): CreatedApiKey {
  return { key: api_key.public_key, api_key };
}
