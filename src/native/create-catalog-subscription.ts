import type { Operations } from '../../generated/native/operations.gen.ts';
import type { CatalogSubscriptionInput } from '../../generated/native/types.gen.ts';
import { problemOfAmount } from '../domain/catalog/prices.ts';
import type { Awaited, Below, Subscribed } from '../domain/catalog/subscriptions/subscribe.ts';
import { subscribeCustomer } from '../domain/catalog/subscriptions/subscribe-customer.ts';
import type { Once } from '../domain/kept-answers.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderSubscription } from './representations/catalog.ts';
import { toIdentifiers } from './representations/event.ts';

export function createCatalogSubscription(writing: WithConnection): Handler<Operations, 'createCatalogSubscription'> {
  return async ({ request, caller }) => {
    const { body } = request;
    const { storeId } = caller;
    const identifiers = toIdentifiers(body.profile, caller);
    const input = { identifiers, awaited: toAwaited(body), kind: body.kind, below: toBelow(body) };
    return await performOnce(
      caller,
      { operation: 'createCatalogSubscription', key: body.idempotency_key, request },
      {
        perform: (once: Once<Subscribed>) => writing(storeId, (db) => subscribeCustomer(db, storeId, input, once)),
        answer: ({ subscription, isNew }) => ({
          status: isNew ? (201 as const) : (200 as const),
          body: renderSubscription(subscription),
        }),
      },
    );
  };
}

function toAwaited({ item_id: itemId, variant_id: variantId }: CatalogSubscriptionInput): Awaited {
  if (itemId !== undefined && variantId !== undefined) {
    throw invalid({ path: ['variant_id'], problem: 'must not be given with item_id: a variant has an item already' });
  }
  if (variantId !== undefined) return { variantId };
  if (itemId === undefined) throw invalid({ path: ['item_id'], problem: 'is required, or variant_id' });
  return { itemId };
}

function toBelow({ kind, below, currency }: CatalogSubscriptionInput): Below | null {
  if (below === undefined) {
    if (currency !== undefined) throw invalid({ path: ['currency'], problem: 'is for below alone' });
    return null;
  }
  if (kind !== 'price_drop') throw invalid({ path: ['below'], problem: 'is for price_drop alone' });
  const problem = problemOfAmount(below);
  if (problem !== undefined) throw invalid({ path: ['below'], problem });
  if (currency === undefined) throw invalid({ path: ['currency'], problem: 'is required with below' });
  return { price: below, currency };
}
