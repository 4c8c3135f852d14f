import type { Operations } from '../../generated/native/operations.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import { EVENTS_BY_ORDER } from '../db/background/migrations.ts';
import type { StoreData } from '../db/store-data.ts';
import { currentId } from '../domain/profile-aliases.ts';
import { readEvents } from '../domain/reading/events.ts';
import { invalid } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { renderEvents } from './event-items.ts';
import { toPageRequest, toTimeRange, toTypeFilter } from './query.ts';

export function listEvents(stores: StoreData, background: SchemaProgress): Handler<Operations, 'listEvents'> {
  return async ({ request: { query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { event_type: type, profile_id: asked } = query;
    const profileId = asked === undefined ? undefined : await currentId(sql, caller.storeId, asked);
    const filter = { ...toTypeFilter(type), profileId, property: toProperty(query), ...toTimeRange(query) };
    const order = { latestFirst: true, hasOrderIndex: background.isComplete(EVENTS_BY_ORDER) };
    const { items, next } = await readEvents(sql, caller, filter, toPageRequest(query), order);
    return { status: 200, body: { events: await renderEvents(sql, caller, items, query), next_cursor: next } };
  };
}

function toProperty({ property: name, property_value: value }: { property?: string; property_value?: string }) {
  if (name === undefined && value === undefined) return undefined;
  if (name === undefined) throw invalid({ path: ['property'], problem: 'is required with property_value' });
  if (value === undefined) throw invalid({ path: ['property_value'], problem: 'is required with property' });
  return { name, value };
}
