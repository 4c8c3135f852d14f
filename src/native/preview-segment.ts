import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { previewSegment as preview } from '../domain/segments/preview.ts';
import type { PreviewSlots } from '../domain/segments/preview-slots.ts';
import { expectValid } from '../domain/segments/segments.ts';
import type { Handler } from '../http/handler.ts';
import { renderPreview, toSegmentDefinition } from './representations/segment.ts';

export function previewSegment(stores: StoreData, slots: PreviewSlots): Handler<Operations, 'previewSegment'> {
  return async ({ request, caller }) => {
    const definition = toSegmentDefinition(request.body.definition);
    expectValid(definition);
    const found = await slots.use(caller.storeId, () =>
      stores
        .of(caller.storeId)
        .transaction()
        .execute((tx) => preview(tx, caller, definition, Date.now())),
    );
    return { status: 200, body: renderPreview(found) };
  };
}
