import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKey } from '../../generated/native/types.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import type { Handler } from '../http/handler.ts';
import type { RateLimitUses } from '../http/rate-limit.ts';
import { toApiKeys } from './representations/api-key.ts';

export function getCurrentApiKey(keys: ApiKeys, usesOf: RateLimitUses): Handler<Operations, 'getCurrentApiKey'> {
  return async ({ caller }) => {
    const { record, storeName } = await keys.current(caller);
    const [shown] = await toApiKeys([record], usesOf);
    return { status: 200, body: { api_key: shown as ApiKey, store: { id: caller.storeId, name: storeName } } };
  };
}
