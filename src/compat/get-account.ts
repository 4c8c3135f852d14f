import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { toAccount } from './document/account.ts';
import { pickAttributes } from './query/sparse.ts';

export function getAccount(keys: Pick<ApiKeys, 'account'>): Handler<Operations, 'getAccount'> {
  return async ({ request: { path, query }, caller, base }) => {
    const store = await keys.account(caller);
    const isOwn = path.id.toLowerCase() === caller.storeId || store.publicKeys.includes(path.id);
    if (!isOwn) throw new ServiceError('not_found', 'There is no such account');
    const account = toAccount(caller.storeId, store, base());
    return { status: 200, body: { data: pickAttributes(account, query?.['fields[account]']) } };
  };
}
