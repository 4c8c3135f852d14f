import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { SegmentWithDefinition } from '../domain/segments/find-segments.ts';
import { createSegment as create } from '../domain/segments/segments.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderSegment, toSegmentDefinition } from './representations/segment.ts';

export function createSegment(writing: WithConnection): Handler<Operations, 'createSegment'> {
  return async ({ request, caller }) => {
    const { name, definition, idempotency_key: key } = request.body;
    const input = { name, definition: toSegmentDefinition(definition) };
    return await performOnce(
      caller,
      { operation: 'createSegment', key, request },
      {
        perform: (once: Once<SegmentWithDefinition>) =>
          writing(caller.storeId, (db) => create(db, caller, input, once)),
        answer: (segment) => ({ status: 201 as const, body: renderSegment(segment) }),
      },
    );
  };
}
