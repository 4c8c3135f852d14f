import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKeys } from '../domain/api-keys.ts';
import { createStoreKey } from '../domain/store-keys.ts';
import { parseTime } from '../domain/time.ts';
import type { Handler } from '../http/handler.ts';
import { toApiKey } from './api-key.ts';

export function createApiKey(keys: ApiKeys): Handler<Operations, 'createApiKey'> {
  return async ({ request, caller }) => {
    const { name, scopes, expires_at } = request.body;
    const expiresAt = (expires_at && parseTime(expires_at)) || null;
    const { record, key } = await createStoreKey(keys, caller, { name, scopes, expiresAt });
    return { status: 201, body: { key, api_key: toApiKey(record) } };
  };
}
