import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listSplits } from '../domain/identifier-splits/list-splits.ts';
import { lastChecked } from '../domain/identifier-splits/progress.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';

export function listIdentifierSplits(stores: StoreData): Handler<Operations, 'listIdentifierSplits'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { items, next } = await listSplits(stores.of(storeId), storeId, toPageRequest(query));
    const checkedAt = await lastChecked(stores.shared, storeId);
    const splits = items.map(({ kind, value, owners, foundAt }) => {
      return { kind, value, owners, found_at: foundAt.toISOString() };
    });
    return { status: 200, body: { splits, checked_at: checkedAt?.toISOString() ?? null, next_cursor: next } };
  };
}
