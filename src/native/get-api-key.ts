import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKey } from '../../generated/native/types.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import { findStoreKey } from '../domain/api-keys/store-keys.ts';
import type { Handler } from '../http/handler.ts';
import type { RateLimitUses } from '../http/rate-limit.ts';
import { existingKey, toApiKeys } from './representations/api-key.ts';

export function getApiKey(keys: ApiKeys, usesOf: RateLimitUses): Handler<Operations, 'getApiKey'> {
  return async ({ request, caller }) => {
    const record = existingKey(await findStoreKey(keys, caller, request.path.id));
    const [apiKey] = (await toApiKeys([record], usesOf)) as [ApiKey];
    return { status: 200, body: apiKey };
  };
}
