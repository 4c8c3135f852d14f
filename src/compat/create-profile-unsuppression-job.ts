import type { Operations } from '../../generated/compat/operations.gen.ts';
import { recordConsentOfKnown } from '../domain/consent/consent-of-customers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { completeJob, toSuppressions } from './document/suppressions.ts';

export function createProfileUnsuppressionJob(
  writing: WithConnection,
): Handler<Operations, 'createProfileUnsuppressionJob'> {
  return async ({ request, caller, base }) => {
    const { data } = request.body.data.attributes.profiles;
    const now = new Date();
    const customers = toSuppressions(data, 'unsuppressed', now);
    await writing(caller.storeId, (db) => recordConsentOfKnown(db, caller.storeId, customers));
    const job = completeJob('profile-suppression-bulk-delete-job', data.length, now, base());
    return { status: 202, body: { data: job }, isRepeatable: true };
  };
}
