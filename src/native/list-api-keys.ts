import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import { listStoreKeys } from '../domain/api-keys/store-keys.ts';
import type { Handler } from '../http/handler.ts';
import type { RateLimitUses } from '../http/rate-limit.ts';
import { toPageRequest } from './query.ts';
import { toApiKeys } from './representations/api-key.ts';

export function listApiKeys(keys: ApiKeys, usesOf: RateLimitUses): Handler<Operations, 'listApiKeys'> {
  return async ({ request: { query = {} }, caller }) => {
    const { items, next } = await listStoreKeys(keys, caller, toPageRequest(query));
    return { status: 200, body: { api_keys: await toApiKeys(items, usesOf), next_cursor: next } };
  };
}
