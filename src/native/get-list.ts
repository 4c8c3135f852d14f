import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findList } from '../domain/lists/lists.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { renderList } from './representations/list.ts';

export function getList(stores: StoreData): Handler<Operations, 'getList'> {
  return async ({ request, caller: { storeId } }) => {
    const found = await findList(stores.of(storeId), storeId, listId(request.path.id));
    return { status: 200, body: renderList(existingList(found)) };
  };
}

/** Returns the id of a list in a path. Throws `not_found` if it can't be one. */
export function listId(text: string): string {
  return existingList(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of a list that there is not. */
export function existingList<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such list');
  return found;
}
