import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listMembers } from '../domain/segments/members.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { existingSegment, iso, segmentId } from './representations/segment.ts';

export function listSegmentMembers(stores: StoreData): Handler<Operations, 'listSegmentMembers'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const page = await listMembers(stores.of(storeId), storeId, segmentId(path.id), toPageRequest(query));
    const { items, next } = existingSegment(page);
    const members = items.map(({ profileId, enteredAt }) => ({ profile_id: profileId, entered_at: iso(enteredAt) }));
    return { status: 200, body: { members, next_cursor: next } };
  };
}
