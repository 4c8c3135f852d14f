import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listErasures as list } from '../domain/erasures/find-erasures.ts';
import { findGap } from '../domain/erasures/gap.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderErasure } from './representations/erasure.ts';

export function listErasures(stores: StoreData): Handler<Operations, 'listErasures'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const db = stores.of(storeId);
    const { items, next } = await list(db, storeId, toPageRequest(query));
    const restoredAt = (await findGap(db, storeId))?.toISOString() ?? null;
    return { status: 200, body: { erasures: items.map(renderErasure), next_cursor: next, restored_at: restoredAt } };
  };
}
