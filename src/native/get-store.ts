import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';

export function getStore(writing: WithConnection): Handler<Operations, 'getStore'> {
  return async ({ caller: { storeId } }) => {
    // Not from a replica, which may not have the latest change yet.
    const body = await writing(storeId, (_, shared) => readStoreSettings(shared, storeId));
    return { status: 200, body };
  };
}
