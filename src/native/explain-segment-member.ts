import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { currentId } from '../domain/profile-aliases.ts';
import { explainMember } from '../domain/segments/explain.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { existingSegment, renderExplanation, segmentId } from './representations/segment.ts';

export function explainSegmentMember(stores: StoreData): Handler<Operations, 'explainSegmentMember'> {
  return async ({ request: { path }, caller: { storeId } }) => {
    const [db, id] = [stores.of(storeId), segmentId(path.id)];
    const profileId = await currentId(db, storeId, existingProfile(path.profile_id));
    const found = await explainMember(db, storeId, { id, profileId, now: Date.now() });
    if (found === 'no profile') throw noProfile();
    const explanation = existingSegment(found === 'no segment' ? undefined : found);
    return { status: 200, body: renderExplanation(profileId, explanation) };
  };
}

function existingProfile(id: string): string {
  if (!isId(id)) throw noProfile();
  return id.toLowerCase();
}

function noProfile(): ServiceError {
  return new ServiceError('not_found', 'There is no such profile');
}
