import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Once } from '../domain/kept-answers.ts';
import { releaseAddress as release, type SuppressedAddress } from '../domain/messages/suppressions.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { performOnce } from './once.ts';
import { renderSuppressedAddress } from './representations/suppressed-address.ts';

export function releaseAddress(writing: WithConnection): Handler<Operations, 'releaseAddress'> {
  return async ({ request: { path }, caller }) => {
    const { storeId } = caller;
    const id = expectFound(isId(path.id) ? path.id.toLowerCase() : undefined);
    return await performOnce(
      caller,
      // An address can be released once; suppressed again, it has another id.
      { operation: 'releaseAddress', key: id, request: {} },
      {
        perform: (once: Once<SuppressedAddress | undefined>) =>
          writing(storeId, (db) => release(db, storeId, id, once)),
        answer: (released) => ({ status: 200 as const, body: renderSuppressedAddress(expectFound(released)) }),
      },
    );
  };
}

function expectFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such suppressed address');
  return found;
}
