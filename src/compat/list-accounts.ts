import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import type { Handler } from '../http/handler.ts';
import { toAccount } from './document/account.ts';
import { pickAttributes } from './query/sparse.ts';

export function listAccounts(keys: Pick<ApiKeys, 'current'>): Handler<Operations, 'listAccounts'> {
  return async ({ request: { query }, caller, base }) => {
    const { storeName } = await keys.current(caller);
    const account = toAccount(caller.storeId, storeName, base());
    const data = [pickAttributes(account, query?.['fields[account]'])];
    return { status: 200, body: { data, links: { self: `${base()}/accounts` } } };
  };
}
