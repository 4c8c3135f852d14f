import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readEvents } from '../domain/reading/events.ts';
import type { Handler } from '../http/handler.ts';
import { renderEvents } from './event-items.ts';
import { existingProfile } from './get-profile.ts';
import { toPageRequest, toTimeRange, toTypeFilter } from './query.ts';

export function listProfileEvents(stores: StoreData): Handler<Operations, 'listProfileEvents'> {
  return async ({ request: { path, query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { id: profileId } = await existingProfile(sql, caller, path.id);
    const filter = { profileId, ...toTypeFilter(query.event_type), ...toTimeRange(query) };
    const { items, next } = await readEvents(sql, caller, filter, toPageRequest(query));
    return { status: 200, body: { events: await renderEvents(sql, caller, items, query), next_cursor: next } };
  };
}
