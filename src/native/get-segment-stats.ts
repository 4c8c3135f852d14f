import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { statsOf } from '../domain/segments/stats.ts';
import type { Handler } from '../http/handler.ts';
import { dateOf, toDays } from './days.ts';
import { existingSegment, segmentId } from './representations/segment.ts';

export function getSegmentStats(stores: StoreData): Handler<Operations, 'getSegmentStats'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const range = toDays(query);
    const days = existingSegment(await statsOf(stores.of(storeId), storeId, segmentId(path.id), range));
    const body = {
      from: dateOf(range.first),
      to: dateOf(range.last),
      days: days.map((day, n) => ({ date: dateOf(range.first + n), member_count: day.members, ...day })),
    };
    return { status: 200, body };
  };
}
