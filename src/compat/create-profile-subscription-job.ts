import type { Operations } from '../../generated/compat/operations.gen.ts';
import { subscribeCustomers } from '../domain/confirmations/subscribe.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { listNameOf, toChoices } from './document/subscriptions.ts';
import { reportItems } from './report-items.ts';

export function createProfileSubscriptionJob(
  writing: WithConnection,
): Handler<Operations, 'createProfileSubscriptionJob'> {
  return async ({ request, caller }) => {
    const { attributes, relationships } = request.body.data;
    const customers = toChoices(
      attributes.profiles.data,
      {
        kind: 'subscribed',
        source: attributes.custom_source ?? null,
        listName: listNameOf(relationships),
        isHistorical: attributes.historical_import ?? false,
      },
      caller,
    );
    await reportItems(writing(caller.storeId, (db) => subscribeCustomers(db, caller, customers)));
    return { status: 202, isRepeatable: true };
  };
}
