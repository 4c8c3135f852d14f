import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { changeCountry, readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';

export function updateStore(writing: WithConnection): Handler<Operations, 'updateStore'> {
  return async ({ request: { body: changes }, caller: { storeId } }) => {
    const { country } = changes;
    const body = await writing(storeId, (_, shared) =>
      country === undefined ? readStoreSettings(shared, storeId) : changeCountry(shared, storeId, country),
    );
    return { status: 200, body, isRepeatable: true };
  };
}
