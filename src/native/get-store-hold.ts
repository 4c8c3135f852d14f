import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readHold } from '../domain/automations/store-hold.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderHold } from './representations/store-hold.ts';

export function getStoreHold(writing: WithConnection, stores: StoreData): Handler<Operations, 'getStoreHold'> {
  const names = new KeyNames(stores.shared);
  return async ({ caller: { storeId } }) => {
    // Not from a replica, which may not have the latest change yet.
    const hold = await writing(storeId, (db) => readHold(db, storeId));
    return { status: 200, body: renderHold(hold, await names.of(storeId, hold?.by ? [hold.by.id] : [])) };
  };
}
