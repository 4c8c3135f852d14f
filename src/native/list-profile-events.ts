import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ListProfileEventsData } from '../../generated/native/types.gen.ts';
import type { Sql } from '../db/sql.ts';
import type { StoreData } from '../db/store-data.ts';
import { readOrderSettings } from '../domain/orders/settings.ts';
import { type EventFilter, readEvents } from '../domain/reading/events.ts';
import { invalid } from '../domain/service-error.ts';
import { TYPES_OF_MESSAGES } from '../domain/tracking/core/event-types.ts';
import type { Handler } from '../http/handler.ts';
import { renderEvents } from './event-items.ts';
import { existingProfile } from './get-profile.ts';
import { toPageRequest, toTimeRange, toTypeFilter } from './query.ts';

export function listProfileEvents(stores: StoreData): Handler<Operations, 'listProfileEvents'> {
  return async ({ request: { path, query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { id: profileId } = await existingProfile(sql, caller, path.id);
    const types = await typesOf(sql, caller.storeId, query);
    const filter = { profileId, types, ...toTypeFilter(query.event_type), ...toTimeRange(query) };
    const { items, next } = await readEvents(sql, caller, filter, toPageRequest(query));
    return { status: 200, body: { events: await renderEvents(sql, caller, items, query), next_cursor: next } };
  };
}

type Query = NonNullable<ListProfileEventsData['query']>;

/** Converts a kind of events to their types. Throws `validation_error` if there is a type as well. */
async function typesOf(db: Sql, storeId: string, { kind, event_type }: Query): Promise<EventFilter['types']> {
  if (kind === undefined) return undefined;
  if (event_type !== undefined) throw invalid({ path: ['kind'], problem: "can't be combined with event_type" });
  if (kind === 'messages') return { which: 'only', types: TYPES_OF_MESSAGES };
  const { placedTypes, refundedTypes, cancelledTypes } = await readOrderSettings(db, storeId);
  const ofOrders = [...placedTypes, ...refundedTypes, ...cancelledTypes];
  if (kind === 'orders') return { which: 'only', types: ofOrders };
  return { which: 'except', types: [...ofOrders, ...TYPES_OF_MESSAGES] };
}
