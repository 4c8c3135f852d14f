import type { Operations } from '../../generated/native/operations.gen.ts';
import { expectScopesOfDependents } from '../domain/audiences/dependents.ts';
import { reviseSegment } from '../domain/segments/segments.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingSegment, renderSegment, segmentId, toSegmentDefinition } from './representations/segment.ts';

export function updateSegment(writing: WithConnection): Handler<Operations, 'updateSegment'> {
  return async ({ request, caller }) => {
    const id = segmentId(request.path.id);
    const { revision, name } = request.body;
    const definition = toSegmentDefinition(request.body.definition);
    const segment = await writing(caller.storeId, (db) =>
      reviseSegment(db, caller, { id, revision, name, definition }, expectScopesOfDependents),
    );
    return { status: 200, body: renderSegment(existingSegment(segment)) };
  };
}
