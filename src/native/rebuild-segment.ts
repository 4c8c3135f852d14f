import type { Operations } from '../../generated/native/operations.gen.ts';
import { rebuildSegment as rebuild } from '../domain/segments/segments.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingSegment, renderSegment, segmentId } from './representations/segment.ts';

export function rebuildSegment(writing: WithConnection): Handler<Operations, 'rebuildSegment'> {
  return async ({ request, caller: { storeId } }) => {
    const id = segmentId(request.path.id);
    const segment = await writing(storeId, (db) => rebuild(db, storeId, id));
    return { status: 202, body: renderSegment(existingSegment(segment)) };
  };
}
