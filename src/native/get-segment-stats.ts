import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { statsOf } from '../domain/segments/stats.ts';
import type { Handler } from '../http/handler.ts';
import { existingSegment, segmentId } from './representations/segment.ts';

/** Days that are shown by default. */
const DAYS = 30;

export function getSegmentStats(stores: StoreData): Handler<Operations, 'getSegmentStats'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const days = await statsOf(stores.of(storeId), storeId, segmentId(path.id), query.days ?? DAYS);
    return { status: 200, body: { days: existingSegment(days) } };
  };
}
