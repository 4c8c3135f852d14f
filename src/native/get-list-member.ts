import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findList } from '../domain/lists/lists.ts';
import { findMember } from '../domain/lists/read-members.ts';
import { currentId } from '../domain/profile-aliases.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { existingList, listId } from './get-list.ts';
import { renderMember } from './representations/list.ts';

export function getListMember(stores: StoreData): Handler<Operations, 'getListMember'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const sql = stores.of(storeId);
    const { id } = existingList(await findList(sql, storeId, listId(path.id)));
    const profileId = await currentId(sql, storeId, path.profile_id);
    const found = isId(profileId) ? await findMember(sql, storeId, id, profileId) : undefined;
    if (!found) throw new ServiceError('not_found', 'There is no such member in the list');
    return { status: 200, body: renderMember(found) };
  };
}
