import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findKeptMail } from '../domain/messages/outbox.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { messageId } from './message-ids.ts';

export function getMessageContent(stores: StoreData): Handler<Operations, 'getMessageContent'> {
  return async ({ request, caller: { storeId } }) => {
    const found = await findKeptMail(stores.of(storeId), storeId, messageId(request.path.id));
    if (!found) throw new ServiceError('not_found', 'There is no such message in the outbox');
    const { messageId: message_id, subject, html, text, headers, size: size_bytes } = found;
    return { status: 200, body: { message_id, subject, html, text, headers: [...headers], size_bytes } };
  };
}
