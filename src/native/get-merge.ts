import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findMerge, readMerged } from '../domain/merges/find-merges.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { renderMerge } from './representations/merge.ts';

export function getMerge(stores: StoreData): Handler<Operations, 'getMerge'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const [db, id] = [stores.of(storeId), path.id.toLowerCase()];
    const merge = isId(id) ? await findMerge(db, storeId, id) : undefined;
    if (!merge) throw new ServiceError('not_found', 'There is no such merge');
    return { status: 200, body: renderMerge(merge, (await readMerged(db, storeId, id)) ?? null) };
  };
}
