import type { Operations } from '../../generated/native/operations.gen.ts';
import { createSegment as create } from '../domain/segments/segments.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderSegment, toSegmentDefinition } from './representations/segment.ts';

export function createSegment(writing: WithConnection): Handler<Operations, 'createSegment'> {
  return async ({ request, caller }) => {
    const input = { name: request.body.name, definition: toSegmentDefinition(request.body.definition) };
    const segment = await writing(caller.storeId, (db) => create(db, caller, input));
    return { status: 201, body: renderSegment(segment) };
  };
}
