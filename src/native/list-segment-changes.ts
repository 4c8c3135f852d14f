import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listChanges } from '../domain/segments/changes.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { existingSegment, iso, segmentId } from './representations/segment.ts';

export function listSegmentChanges(stores: StoreData): Handler<Operations, 'listSegmentChanges'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const page = await listChanges(stores.of(storeId), storeId, segmentId(path.id), toPageRequest(query));
    const { items, next } = existingSegment(page);
    const changes = items.map(({ id, profileId, kind, cause, at }) => ({
      id,
      profile_id: profileId,
      kind,
      cause,
      changed_at: iso(at),
    }));
    return { status: 200, body: { changes, next_cursor: next } };
  };
}
