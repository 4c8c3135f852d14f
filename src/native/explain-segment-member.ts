import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { explainMember } from '../domain/segments/explain.ts';
import type { Handler } from '../http/handler.ts';
import { existingSegment, renderExplanation, segmentId } from './representations/segment.ts';

export function explainSegmentMember(stores: StoreData): Handler<Operations, 'explainSegmentMember'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const [id, profileId] = [segmentId(path.id), segmentId(path.profile_id)];
    const explanation = await explainMember(stores.of(storeId), storeId, { id, profileId, now: Date.now() });
    return { status: 200, body: renderExplanation(profileId, existingSegment(explanation)) };
  };
}
