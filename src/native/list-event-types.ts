import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findEventTypes } from '../domain/reading/event-types.ts';
import type { ReportSlots } from '../domain/reading/report-slots.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { toStoreDays } from './store-days.ts';

export function listEventTypes(stores: StoreData, slots: ReportSlots): Handler<Operations, 'listEventTypes'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { timeZone, first, last, ...span } = await toStoreDays(stores, storeId, query);
    const { items, next } = await slots.use(storeId, () =>
      findEventTypes(stores.of(storeId), storeId, span, toPageRequest(query)),
    );
    const event_types = items.map(({ eventType, events, profiles, lastSeen }) => ({
      event_type: eventType,
      event_count: events,
      profile_count: profiles,
      last_seen_at: lastSeen?.toISOString() ?? null,
    }));
    return { status: 200, body: { from: first, to: last, time_zone: timeZone, event_types, next_cursor: next } };
  };
}
