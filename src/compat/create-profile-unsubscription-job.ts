import type { Operations } from '../../generated/compat/operations.gen.ts';
import { recordConsentOfCustomers } from '../domain/consent/consent-of-customers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { listNameOf, toChoices } from './document/subscriptions.ts';
import { reportItems } from './report-items.ts';

export function createProfileUnsubscriptionJob(
  writing: WithConnection,
): Handler<Operations, 'createProfileUnsubscriptionJob'> {
  return async ({ request, caller }) => {
    const { attributes, relationships } = request.body.data;
    const customers = toChoices(
      attributes.profiles.data,
      {
        kind: 'unsubscribed',
        source: attributes.custom_source ?? null,
        listName: listNameOf(relationships),
        isHistorical: false,
      },
      caller,
    );
    await reportItems(
      writing(caller.storeId, (db) =>
        recordConsentOfCustomers(db, caller.storeId, customers, { origin: caller.origin }),
      ),
    );
    return { status: 202 };
  };
}
