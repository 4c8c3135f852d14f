import type { Operations } from '../../generated/native/operations.gen.ts';
import { readEmail } from '../domain/canonical/email.ts';
import { openAddressDigest } from '../domain/messages/address-digest.ts';
import { listSuppressedAddresses as list } from '../domain/messages/suppressions.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderSuppressedAddress } from './representations/suppressed-address.ts';

export function listSuppressedAddresses(writing: WithConnection): Handler<Operations, 'listSuppressedAddresses'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const filter = { address: query.address && canonicalAddress(query.address), reason: query.reason };
    // Not from a replica: the first time, the key of digests is drawn.
    const { items, next } = await writing(storeId, async (db, shared) =>
      list(db, storeId, filter, await openAddressDigest(shared), toPageRequest(query)),
    );
    return { status: 200, body: { addresses: items.map(renderSuppressedAddress), next_cursor: next } };
  };
}

function canonicalAddress(given: string): string {
  const canonical = readEmail(given)?.value;
  if (canonical === undefined) throw invalid({ path: ['address'], problem: 'must be an e-mail address' });
  return canonical;
}
