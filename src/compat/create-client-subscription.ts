import type { Operations } from '../../generated/compat/operations.gen.ts';
import { subscribeCustomers } from '../domain/confirmations/subscribe.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { PROFILE, toClientConsents } from './document/client.ts';
import { reportItems } from './report-items.ts';

export function createClientSubscription(writing: WithConnection): Handler<Operations, 'createClientSubscription'> {
  return async ({ request, caller }) => {
    const customers = toClientConsents(request.body, caller);
    await reportItems(
      writing(caller.storeId, (db) => subscribeCustomers(db, caller, customers)),
      () => PROFILE,
    );
    return { status: 202, isRepeatable: true };
  };
}
