import type { Sql } from '../../db/orm.ts';
import { isId } from '../../ids/uuid-v7.ts';
import type { Identifiers } from '../identifiers.ts';
import { firstOwner, lookedUpIdentifiers, ownerKey } from '../write/identity-resolution.ts';
import { findExisting, findProfileIds } from '../write/look-up.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { joinList, leaveList, type Manner } from './members.ts';

/** A customer, named by the id of the profile, or by identifiers. */
export type Customer = { profileId: string } | { identifiers: Identifiers };

/** What became of a customer; `refused` if the store does not know them, or the list is full. */
export type Outcome<Done extends string> =
  | { status: Done | 'unchanged'; profileId: string }
  | { refused: 'unknown' | 'full' };

/**
 * Adds up to 1,000 customers to a list, and returns what became of each, in their order; undefined if the store has no
 * such list. One who comes twice is unchanged the second time.
 */
export async function addMembers(
  db: Sql,
  storeId: string,
  listId: string,
  customers: readonly Customer[],
  manner: Manner,
): Promise<Outcome<'added'>[] | undefined> {
  return await inTransaction(db, async (tx) => {
    const profileIds = await findCustomers(tx, storeId, customers);
    const joinedAt = new Date();
    const joining = known(profileIds).map((profileId) => ({ profileId, joinedAt }));
    const joined = await joinList(tx, storeId, listId, joining, manner);
    if (!joined) return undefined;
    const added = new Set(known(profileIds).filter((id) => joined.get(id) === 'joined'));
    return profileIds.map((profileId): Outcome<'added'> => {
      if (profileId === undefined) return { refused: 'unknown' };
      if (joined.get(profileId) === 'full') return { refused: 'full' };
      return { status: added.delete(profileId) ? 'added' : 'unchanged', profileId };
    });
  });
}

/** Removes customers in the same way. */
export async function removeMembers(
  db: Sql,
  storeId: string,
  listId: string,
  customers: readonly Customer[],
): Promise<Outcome<'removed'>[] | undefined> {
  return await inTransaction(db, async (tx) => {
    const profileIds = await findCustomers(tx, storeId, customers);
    const left = await leaveList(tx, storeId, listId, known(profileIds));
    if (!left) return undefined;
    const removed = new Set(left);
    return profileIds.map((profileId): Outcome<'removed'> => {
      if (profileId === undefined) return { refused: 'unknown' };
      return { status: removed.delete(profileId) ? 'removed' : 'unchanged', profileId };
    });
  });
}

async function inTransaction<Result>(db: Sql, work: (tx: Sql) => Promise<Result>): Promise<Result> {
  return await retryConflicts(db, () => db.transaction().execute(work));
}

/** Returns the profile of each customer; undefined for one whom the store does not know. */
async function findCustomers(
  tx: Sql,
  storeId: string,
  customers: readonly Customer[],
): Promise<(string | undefined)[]> {
  const ids = customers.flatMap((customer) =>
    'profileId' in customer && isId(customer.profileId) ? customer.profileId.toLowerCase() : [],
  );
  const found = await findProfileIds(tx, storeId, [...new Set(ids)]);
  const given = customers.flatMap((customer) =>
    'identifiers' in customer ? lookedUpIdentifiers(customer.identifiers) : [],
  );
  const distinct = [...new Map(given.map((pair) => [ownerKey(...pair), pair])).values()];
  const { owners } = await findExisting(tx, storeId, distinct, []);
  return customers.map((customer) => {
    if ('profileId' in customer) return found.get(customer.profileId.toLowerCase());
    return firstOwner(customer.identifiers, owners);
  });
}

function known(profileIds: readonly (string | undefined)[]): string[] {
  return profileIds.filter((id) => id !== undefined);
}
