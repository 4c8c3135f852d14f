import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listMessages as readMessages } from '../domain/messages/read.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest, toTimeRange } from './query.ts';
import { renderMessage } from './representations/message.ts';

export function listMessages(stores: StoreData): Handler<Operations, 'listMessages'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { status, sender_id: senderId, template_id: templateId } = query;
    const filter = { status, senderId, templateId, ...toTimeRange(query) };
    const { items, next } = await readMessages(stores.of(storeId), storeId, filter, toPageRequest(query));
    return { status: 200, body: { messages: items.map(renderMessage), next_cursor: next } };
  };
}
