import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readMessageSettings } from '../domain/senders/message-settings.ts';
import type { Handler } from '../http/handler.ts';
import { renderMessageSettings } from './representations/message-settings.ts';

export function getMessageSettings(stores: StoreData): Handler<Operations, 'getMessageSettings'> {
  return async ({ caller: { storeId } }) => {
    const settings = await readMessageSettings(stores.of(storeId), storeId);
    return { status: 200, body: renderMessageSettings(settings) };
  };
}
