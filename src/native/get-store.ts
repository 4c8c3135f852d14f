import type { Operations } from '../../generated/native/operations.gen.ts';
import { readOrderSettings } from '../domain/orders/settings.ts';
import { readMessageSettings } from '../domain/senders/message-settings.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';
import { toStore } from './representations/store.ts';

export function getStore(writing: WithConnection): Handler<Operations, 'getStore'> {
  return async ({ caller: { storeId } }) => {
    // Not from a replica, which may not have the latest change yet.
    const body = await writing(storeId, async (db, shared) => {
      const { postalAddress } = await readMessageSettings(db, storeId);
      return toStore(await readStoreSettings(shared, storeId), postalAddress, await readOrderSettings(db, storeId));
    });
    return { status: 200, body };
  };
}
