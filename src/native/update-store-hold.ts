import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { pauseStore, resumeStore } from '../domain/automations/store-hold.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderHold } from './representations/store-hold.ts';

export function updateStoreHold(writing: WithConnection, stores: StoreData): Handler<Operations, 'updateStoreHold'> {
  const names = new KeyNames(stores.shared);
  return async ({ request: { body }, caller: { storeId, actor } }) => {
    const hold = await writing(storeId, async (db) => {
      if (body.is_held) return await pauseStore(db, storeId, actor);
      await resumeStore(db, storeId);
      return undefined;
    });
    const named = await names.of(storeId, hold?.by ? [hold.by.id] : []);
    return { status: 200, body: renderHold(hold, named), isRepeatable: true };
  };
}
