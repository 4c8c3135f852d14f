import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import type { Handler } from '../http/handler.ts';
import { toAccount } from './document/account.ts';
import { pickAttributes } from './query/sparse.ts';

export function listAccounts(keys: Pick<ApiKeys, 'account'>): Handler<Operations, 'listAccounts'> {
  return async ({ request: { query }, caller, base }) => {
    const account = toAccount(caller.storeId, await keys.account(caller), base());
    const data = [pickAttributes(account, query?.['fields[account]'])];
    return { status: 200, body: { data, links: { self: `${base()}/accounts` } } };
  };
}
