import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Caller } from '../domain/caller.ts';
import type { RecordedEvent } from '../domain/event.ts';
import { findEvent } from '../domain/reading/events.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { checkIncludes, showEvents } from './included.ts';

export function getCompatEvent(stores: StoreData): Handler<Operations, 'getCompatEvent'> {
  return async ({ request: { path, query = {} }, caller, base }) => {
    const sql = stores.of(caller.storeId);
    checkIncludes(caller, query);
    const event = await existingEvent(sql, caller, path.id);
    const { data, ...more } = await showEvents(sql, caller, [event], query, base(), Number.POSITIVE_INFINITY);
    return { status: 200, body: { data: data[0] as (typeof data)[number], ...more } };
  };
}

/** Returns an event of the caller's store. Throws `not_found` if there is none. */
export async function existingEvent(sql: Sql, caller: Caller, id: string): Promise<RecordedEvent> {
  const event = await findEvent(sql, caller, id);
  if (!event) throw new ServiceError('not_found', 'There is no such event');
  return event;
}
