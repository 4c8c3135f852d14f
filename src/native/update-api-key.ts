import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKey } from '../../generated/native/types.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import { renameStoreKey } from '../domain/api-keys/store-keys.ts';
import type { Handler } from '../http/handler.ts';
import type { RateLimitUses } from '../http/rate-limit.ts';
import { existingKey, toApiKeys } from './representations/api-key.ts';

export function updateApiKey(keys: ApiKeys, usesOf: RateLimitUses): Handler<Operations, 'updateApiKey'> {
  return async ({ request: { path, body }, caller }) => {
    const record = existingKey(await renameStoreKey(keys, caller, path.id, body.name));
    const [apiKey] = (await toApiKeys([record], usesOf)) as [ApiKey];
    return { status: 200, body: apiKey, isRepeatable: true };
  };
}
