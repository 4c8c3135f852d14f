import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteSegment as remove } from '../domain/segments/segments.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingSegment, renderSegment, segmentId } from './representations/segment.ts';

export function deleteSegment(writing: WithConnection): Handler<Operations, 'deleteSegment'> {
  return async ({ request, caller: { storeId } }) => {
    const id = segmentId(request.path.id);
    const segment = await writing(storeId, (db) => remove(db, storeId, id));
    return { status: 200, body: renderSegment(existingSegment(segment)) };
  };
}
