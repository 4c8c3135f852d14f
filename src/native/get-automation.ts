import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findChecked } from '../domain/automations/checked-automation.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { renderAutomation } from './representations/automation.ts';

export function getAutomation(stores: StoreData): Handler<Operations, 'getAutomation'> {
  return async ({ request, caller: { storeId } }) => {
    const automation = await findChecked(stores.of(storeId), storeId, automationId(request.path.id));
    return { status: 200, body: renderAutomation(existing(automation)) };
  };
}

/** Returns the id of an automation in a path. Throws `not_found` if it can't be one. */
export function automationId(text: string): string {
  return existing(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of an automation that there is not. */
export function existing<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such automation');
  return found;
}
