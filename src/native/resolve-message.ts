import type { Operations } from '../../generated/native/operations.gen.ts';
import { resolveMessage as resolve } from '../domain/messages/sending/change-status.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingMessage, messageId } from './message-ids.ts';

export function resolveMessage(writing: WithConnection): Handler<Operations, 'resolveMessage'> {
  return async ({ request, caller: { storeId } }) => {
    const id = messageId(request.path.id);
    const { decision } = request.body;
    return { status: 200, body: existingMessage(await writing(storeId, (db) => resolve(db, storeId, id, decision))) };
  };
}
