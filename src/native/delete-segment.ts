import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteSegment as remove } from '../domain/audiences/deletion.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { SegmentWithDefinition } from '../domain/segments/find-segments.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { existingSegment, renderSegment, segmentId } from './representations/segment.ts';

export function deleteSegment(writing: WithConnection): Handler<Operations, 'deleteSegment'> {
  return async ({ request: { path }, caller }) => {
    const id = segmentId(path.id);
    return await performOnce(
      caller,
      // A segment can be deleted once.
      { operation: 'deleteSegment', key: id, request: {} },
      {
        perform: (once: Once<SegmentWithDefinition | undefined>) =>
          writing(caller.storeId, (db) => remove(db, caller.storeId, id, once)),
        answer: (deleted) => ({ status: 200 as const, body: renderSegment(existingSegment(deleted)) }),
      },
    );
  };
}
