import type { Operations } from '../../generated/compat/operations.gen.ts';
import { recordConsentOfCustomers } from '../domain/consent/consent-of-customers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { completeJob, toSuppressions } from './document/suppressions.ts';

export function createProfileSuppressionJob(
  writing: WithConnection,
): Handler<Operations, 'createProfileSuppressionJob'> {
  return async ({ request, caller, base }) => {
    const { data } = request.body.data.attributes.profiles;
    const now = new Date();
    const customers = toSuppressions(data, 'suppressed', now);
    await writing(caller.storeId, (db) =>
      recordConsentOfCustomers(db, caller.storeId, customers, { origin: caller.origin }),
    );
    const job = completeJob('profile-suppression-bulk-create-job', data.length, now, base());
    return { status: 202, body: { data: job }, isRepeatable: true };
  };
}
