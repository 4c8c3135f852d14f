import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import { IDENTIFIERS_BY_PROFILE } from '../db/background/migrations.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { beginErasure } from '../domain/erasures/begin.ts';
import { openAddressDigest } from '../domain/messages/core/address-digest.ts';
import { overloaded } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { toErased } from './document/erased.ts';

/** As the native surface has it by default. */
const BY_DEFAULT = { events: 'delete', suppressDays: 30 } as const;

export function createDataPrivacyDeletionJob(
  writing: WithConnection,
  versions: VersionCache,
  background: SchemaProgress,
): Handler<Operations, 'createDataPrivacyDeletionJob'> {
  return async ({ request, caller }) => {
    const {
      storeId,
      actor: { id: askedBy },
    } = caller;
    const who = toErased(request.body.data.attributes, caller);
    if (!background.isComplete(IDENTIFIERS_BY_PROFILE)) {
      throw overloaded('Customers can be erased once an upgrade is complete; try again later');
    }
    const { id } = await writing(storeId, async (db, shared) => {
      const tools = { versions, addressDigest: await openAddressDigest(shared) };
      return await beginErasure(db, storeId, { ...BY_DEFAULT, who, askedBy }, tools);
    });
    return { status: 202, isRepeatable: true, about: id };
  };
}
