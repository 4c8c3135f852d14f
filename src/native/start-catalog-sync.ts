import type { Operations } from '../../generated/native/operations.gen.ts';
import { type CatalogSync, startSync } from '../domain/catalog/syncs.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderSync } from './representations/catalog.ts';

export function startCatalogSync(writing: WithConnection): Handler<Operations, 'startCatalogSync'> {
  return async ({ request, caller }) =>
    await performOnce(
      caller,
      { operation: 'startCatalogSync', key: request.body.idempotency_key, request },
      {
        perform: (once: Once<CatalogSync>) => writing(caller.storeId, (db) => startSync(db, caller.storeId, once)),
        answer: (sync) => ({ status: 201 as const, body: renderSync(sync) }),
      },
    );
}
