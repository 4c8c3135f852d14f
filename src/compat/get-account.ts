import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { toAccount } from './document/account.ts';
import { pickAttributes } from './query/sparse.ts';

export function getAccount(keys: Pick<ApiKeys, 'current'>): Handler<Operations, 'getAccount'> {
  return async ({ request: { path, query }, caller, base }) => {
    if (path.id.toLowerCase() !== caller.storeId) throw new ServiceError('not_found', 'There is no such account');
    const { storeName } = await keys.current(caller);
    const account = toAccount(caller.storeId, storeName, base());
    return { status: 200, body: { data: pickAttributes(account, query?.['fields[account]']) } };
  };
}
