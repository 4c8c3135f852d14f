import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findMessage } from '../domain/messages/read.ts';
import type { Handler } from '../http/handler.ts';
import { existingMessage, messageId } from './message-ids.ts';
import { renderMessage } from './representations/message.ts';

export function getMessage(stores: StoreData): Handler<Operations, 'getMessage'> {
  return async ({ request, caller: { storeId } }) => {
    const message = await findMessage(stores.of(storeId), storeId, messageId(request.path.id));
    return { status: 200, body: renderMessage(existingMessage(message)) };
  };
}
