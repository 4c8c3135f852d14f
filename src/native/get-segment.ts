import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findSegment } from '../domain/segments/find-segments.ts';
import type { Handler } from '../http/handler.ts';
import { existingSegment, renderSegment, segmentId } from './representations/segment.ts';

export function getSegment(stores: StoreData): Handler<Operations, 'getSegment'> {
  return async ({ request, caller: { storeId } }) => {
    const segment = await findSegment(stores.of(storeId), storeId, segmentId(request.path.id));
    return { status: 200, body: renderSegment(existingSegment(segment)) };
  };
}
