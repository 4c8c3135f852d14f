import type { Sql } from '../../../db/orm.ts';
import type { Identifiers } from '../../identifiers.ts';
import { always, type Once } from '../../kept-answers.ts';
import { invalid } from '../../service-error.ts';
import { findProfileOf } from '../../write/look-up.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { type Subscribed, type Subscribing, subscribe } from './subscribe.ts';

/** What a request of the store asks for. */
export type SubscriptionInput = Omit<Subscribing, 'profileId' | 'isFromClient'> & { identifiers: Identifiers };

/** Has a customer of the store wait for an item. Throws as `subscribe` does, and for a customer whom the store does not know. */
export async function subscribeCustomer(
  db: Sql,
  storeId: string,
  { identifiers, ...input }: SubscriptionInput,
  once: Once<Subscribed> = always,
): Promise<Subscribed> {
  const attempt = async (tx: Sql) => {
    const profileId = await findProfileOf(tx, storeId, identifiers);
    if (profileId === undefined) throw invalid({ path: ['profile'], problem: 'is not that of a known customer' });
    return (await subscribe(tx, storeId, { ...input, profileId, isFromClient: false })) as Subscribed;
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => attempt(tx))));
}
