import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKeys } from '../domain/api-keys.ts';
import { ServiceError } from '../domain/errors.ts';
import { revokeStoreKey } from '../domain/store-keys.ts';
import type { Handler } from '../http/handler.ts';
import { toApiKey } from './api-key.ts';

export function revokeApiKey(keys: ApiKeys): Handler<Operations, 'revokeApiKey'> {
  return async ({ request, caller }) => {
    const record = await revokeStoreKey(keys, caller, request.path.id);
    if (!record) throw new ServiceError('not_found', 'There is no such API key');
    return { status: 200, body: toApiKey(record) };
  };
}
