import type { Operations } from '../../generated/native/operations.gen.ts';
import { releaseIdentifiers as release } from '../domain/erasures/suppression.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { retryConflicts } from '../domain/write/retry-conflicts.ts';
import type { Handler } from '../http/handler.ts';
import { toKnownIdentifiers } from './representations/erasure.ts';

export function releaseIdentifiers(writing: WithConnection): Handler<Operations, 'releaseIdentifiers'> {
  return async ({ request: { body }, caller }) => {
    const { storeId } = caller;
    const identifiers = toKnownIdentifiers(body.identifiers, caller);
    const released = await writing(storeId, (db) => retryConflicts(db, () => release(db, storeId, identifiers)));
    return { status: 200, body: { released }, isRepeatable: true };
  };
}
