import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKey } from '../../generated/native/types.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import { createStoreKey } from '../domain/api-keys/store-keys.ts';
import { parseTime } from '../domain/event-time.ts';
import type { Handler } from '../http/handler.ts';
import type { RateLimitUses } from '../http/rate-limit.ts';
import { toApiKeys } from './representations/api-key.ts';

export function createApiKey(keys: ApiKeys, usesOf: RateLimitUses): Handler<Operations, 'createApiKey'> {
  return async ({ request, caller }) => {
    const { name, scopes, expires_at } = request.body;
    const expiresAt = (expires_at && parseTime(expires_at)) || null;
    const { record, key } = await createStoreKey(keys, caller, { name, scopes, expiresAt });
    const [apiKey] = (await toApiKeys([record], usesOf)) as [ApiKey];
    return { status: 201, body: { key, api_key: apiKey } };
  };
}
