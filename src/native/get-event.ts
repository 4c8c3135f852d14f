import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findEvent } from '../domain/reading/events.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { renderEvent } from './representations/event.ts';

export function getEvent(stores: StoreData): Handler<Operations, 'getEvent'> {
  return async ({ request, caller }) => {
    const sql = stores.of(caller.storeId);
    const event = await findEvent(sql, caller, request.path.id);
    if (!event) throw new ServiceError('not_found', 'There is no such event');
    return { status: 200, body: renderEvent(event) };
  };
}
