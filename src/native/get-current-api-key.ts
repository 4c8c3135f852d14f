import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ApiKey } from '../../generated/native/types.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import type { Handler } from '../http/handler.ts';
import type { RateLimitUses } from '../http/rate-limit.ts';
import { toApiKeys } from './representations/api-key.ts';

export function getCurrentApiKey(keys: ApiKeys, usesOf: RateLimitUses): Handler<Operations, 'getCurrentApiKey'> {
  return async ({ caller }) => {
    const { record, store } = await keys.current(caller);
    const [shown] = await toApiKeys([record], usesOf);
    const { id, name, displayName, timeZone, currency } = store;
    const known = { id, name, display_name: displayName, time_zone: timeZone, currency };
    return { status: 200, body: { api_key: shown as ApiKey, store: known } };
  };
}
