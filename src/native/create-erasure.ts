import type { Operations } from '../../generated/native/operations.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import { IDENTIFIERS_BY_PROFILE } from '../db/background/migrations.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { beginErasure } from '../domain/erasures/begin.ts';
import type { Erasure } from '../domain/erasures/erasure.ts';
import type { Once } from '../domain/kept-answers.ts';
import { openAddressDigest } from '../domain/messages/core/address-digest.ts';
import { overloaded } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderErasure, toErasureRequest } from './representations/erasure.ts';

export function createErasure(
  writing: WithConnection,
  versions: VersionCache,
  background: SchemaProgress,
): Handler<Operations, 'createErasure'> {
  return async ({ request, caller }) => {
    const asked = toErasureRequest(request.body, caller);
    if (!background.isComplete(IDENTIFIERS_BY_PROFILE)) {
      throw overloaded('Customers can be erased once an upgrade is complete; try again later');
    }
    return await performOnce(
      caller,
      { operation: 'createErasure', key: request.body.idempotency_key, request },
      {
        perform: (once: Once<Erasure>) =>
          writing(caller.storeId, async (db, shared) => {
            const tools = { versions, addressDigest: await openAddressDigest(shared) };
            return await beginErasure(db, caller.storeId, asked, tools, once);
          }),
        answer: (erasure) => ({ status: 202 as const, body: renderErasure(erasure) }),
      },
    );
  };
}
