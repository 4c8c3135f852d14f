import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { currentId } from '../domain/profile-aliases.ts';
import { segmentsOfProfile } from '../domain/segments/members.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { toPageRequest } from './query.ts';
import { iso } from './representations/segment.ts';

export function listProfileSegments(stores: StoreData): Handler<Operations, 'listProfileSegments'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const db = stores.of(storeId);
    const found = isId(path.id)
      ? await segmentsOfProfile(db, storeId, await currentId(db, storeId, path.id), toPageRequest(query))
      : undefined;
    if (!found) throw new ServiceError('not_found', 'There is no such profile');
    const segments = found.items.map(({ id, name, enteredAt }) => ({ id, name, entered_at: iso(enteredAt) }));
    return { status: 200, body: { segments, next_cursor: found.next } };
  };
}
