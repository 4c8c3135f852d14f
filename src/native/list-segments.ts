import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listSegments as list } from '../domain/segments/find-segments.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderSegment } from './representations/segment.ts';

export function listSegments(stores: StoreData): Handler<Operations, 'listSegments'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { items, next } = await list(stores.of(storeId), storeId, toPageRequest(query));
    return { status: 200, body: { segments: items.map(renderSegment), next_cursor: next } };
  };
}
