import type { Operations } from '../../generated/native/operations.gen.ts';
import { removeProvider } from '../domain/people/providers/identity-provider.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderProvider } from './representations/identity-provider.ts';

export function deleteIdentityProvider(writing: WithConnection): Handler<Operations, 'deleteIdentityProvider'> {
  return async ({ caller, base }) => {
    const removed = await writing(caller.storeId, (_db, shared) => removeProvider(shared, caller.storeId, caller));
    return { status: 200, body: renderProvider(removed, base()), isRepeatable: true };
  };
}
