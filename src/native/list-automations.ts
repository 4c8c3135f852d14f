import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listAutomations as list } from '../domain/automations/find-automations.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest, toTypeFilter } from './query.ts';
import { renderListedAutomation } from './representations/automation.ts';

export function listAutomations(stores: StoreData): Handler<Operations, 'listAutomations'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const filter = { status: query.status, eventType: toTypeFilter(query.event_type).eventType };
    const { items, next } = await list(stores.of(storeId), storeId, filter, toPageRequest(query));
    return { status: 200, body: { automations: items.map(renderListedAutomation), next_cursor: next } };
  };
}
