import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findListsByName } from '../domain/lists/find-by-name.ts';
import { findList } from '../domain/lists/lists.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { toListResource } from './document/list.ts';
import { pickAttributes } from './query/sparse.ts';

export function getCompatList(stores: StoreData): Handler<Operations, 'getCompatList'> {
  return async ({ request: { path, query }, caller: { storeId }, base }) => {
    const sql = stores.of(storeId);
    const named = (await findListsByName(sql, storeId, [path.id])).get(path.id);
    const list = named && (await findList(sql, storeId, named.id));
    if (!list) throw new ServiceError('not_found', 'There is no such list');
    return { status: 200, body: { data: pickAttributes(toListResource(list, base()), query?.['fields[list]']) } };
  };
}
