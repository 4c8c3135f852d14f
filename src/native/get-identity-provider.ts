import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findProvider } from '../domain/people/providers/identity-provider.ts';
import type { Handler } from '../http/handler.ts';
import { renderProvider } from './representations/identity-provider.ts';

export function getIdentityProvider({ shared }: StoreData): Handler<Operations, 'getIdentityProvider'> {
  return async ({ caller: { storeId }, base }) => ({
    status: 200,
    body: renderProvider(await findProvider(shared, storeId), base()),
  });
}
