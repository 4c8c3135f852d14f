import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findErasure } from '../domain/erasures/find-erasures.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { renderErasure } from './representations/erasure.ts';

export function getErasure(stores: StoreData): Handler<Operations, 'getErasure'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const erasure = isId(path.id) ? await findErasure(stores.of(storeId), storeId, path.id.toLowerCase()) : undefined;
    if (!erasure) throw new ServiceError('not_found', 'There is no such erasure');
    return { status: 200, body: renderErasure(erasure) };
  };
}
