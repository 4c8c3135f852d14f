import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listChanges } from '../domain/segments/changes.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { existingSegment, renderSegmentChange, segmentId } from './representations/segment.ts';

export function listSegmentChanges(stores: StoreData): Handler<Operations, 'listSegmentChanges'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const page = await listChanges(stores.of(storeId), storeId, segmentId(path.id), toPageRequest(query));
    const { items, next } = existingSegment(page);
    return { status: 200, body: { changes: items.map(renderSegmentChange), next_cursor: next } };
  };
}
