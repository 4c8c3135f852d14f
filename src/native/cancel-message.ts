import type { Operations } from '../../generated/native/operations.gen.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { cancelMessage as cancel } from '../domain/messages/sending/change-status.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingMessage, messageId } from './message-ids.ts';

export function cancelMessage(writing: WithConnection, versions: VersionCache): Handler<Operations, 'cancelMessage'> {
  return async ({ request, caller: { storeId } }) => {
    const id = messageId(request.path.id);
    return { status: 200, body: existingMessage(await writing(storeId, (db) => cancel(db, storeId, id, versions))) };
  };
}
