import type { Sql } from '../../../db/orm.ts';
import type { Identifiers } from '../../identifiers.ts';
import { always, type Once } from '../../kept-answers.ts';
import { currentId } from '../../profile-aliases.ts';
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

/**
 * Has the visitor of a page wait until what the page calls by an id is there again, if that is published: the same whatever
 * there is, as anybody may say so.
 */
export async function subscribeVisitor(db: Sql, storeId: string, profileId: string, named: string): Promise<void> {
  const attempt = async (tx: Sql) => {
    const current = await currentId(tx, storeId, profileId);
    const what = { awaited: { named }, kind: 'back_in_stock', below: null, isFromClient: true } as const;
    await subscribe(tx, storeId, { ...what, profileId: current });
  };
  await retryConflicts(db, () => db.transaction().execute(attempt));
}
