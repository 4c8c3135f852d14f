import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKey } from '../../generated/native/types.gen.ts';
import type { ApiKeys } from '../domain/api-keys.ts';
import { ServiceError } from '../domain/errors.ts';
import { revokeStoreKey } from '../domain/store-keys.ts';
import type { Handler } from '../http/handler.ts';
import type { RateLimitUses } from '../http/rate-limit.ts';
import { toApiKeys } from './api-key.ts';

export function revokeApiKey(keys: ApiKeys, usesOf: RateLimitUses): Handler<Operations, 'revokeApiKey'> {
  return async ({ request, caller }) => {
    const record = await revokeStoreKey(keys, caller, request.path.id);
    if (!record) throw new ServiceError('not_found', 'There is no such API key');
    const [apiKey] = (await toApiKeys([record], usesOf)) as [ApiKey];
    return { status: 200, body: apiKey };
  };
}
