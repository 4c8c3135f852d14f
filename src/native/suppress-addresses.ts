import type { Operations } from '../../generated/native/operations.gen.ts';
import { openAddressDigest } from '../domain/messages/address-digest.ts';
import { canonicalAddresses, suppressAddresses as suppress } from '../domain/messages/suppressions.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { retryConflicts } from '../domain/write/retry-conflicts.ts';
import type { Handler } from '../http/handler.ts';

export function suppressAddresses(writing: WithConnection): Handler<Operations, 'suppressAddresses'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    const { reason = 'manual' } = body;
    const addresses = canonicalAddresses(body.addresses);
    const suppressed = await writing(storeId, async (db, shared) => {
      const digestOf = await openAddressDigest(shared);
      return await retryConflicts(db, () => suppress(db, storeId, addresses, digestOf, reason));
    });
    return { status: 200, body: { suppressed, unchanged: addresses.length - suppressed }, isRepeatable: true };
  };
}
