import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findSender } from '../domain/senders/find-senders.ts';
import type { Handler } from '../http/handler.ts';
import { renderSender } from './representations/sender.ts';
import { existingSender, senderId } from './sender-ids.ts';

export function getSender(stores: StoreData): Handler<Operations, 'getSender'> {
  return async ({ request, caller: { storeId } }) => {
    const sender = await findSender(stores.of(storeId), storeId, senderId(request.path.id));
    return { status: 200, body: renderSender(existingSender(sender)) };
  };
}
