import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Event } from '../../generated/native/types.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findEvent } from '../domain/reading/events.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { renderEvents } from './event-items.ts';

export function getEvent(stores: StoreData): Handler<Operations, 'getEvent'> {
  return async ({ request, caller }) => {
    const sql = stores.of(caller.storeId);
    const event = await findEvent(sql, caller, request.path.id);
    if (!event) throw new ServiceError('not_found', 'There is no such event');
    const [body] = await renderEvents(sql, caller, [event], request.query ?? {});
    return { status: 200, body: body as Event };
  };
}
