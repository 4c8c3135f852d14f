import type { Sql } from '../../db/orm.ts';
import type { Identifiers } from '../identifiers.ts';
import { givenIdentifiers, ownerKey } from '../write/identity-resolution.ts';
import { findExisting } from '../write/statements.ts';

/** Returns the id of the profile that owns the first of the identifiers, by precedence, that any profile owns. */
export async function findProfileOf(db: Sql, storeId: string, identifiers: Identifiers): Promise<string | undefined> {
  const given = givenIdentifiers(identifiers);
  const { owners } = await findExisting(db, storeId, given, []);
  return given.map(([kind, value]) => owners.get(ownerKey(kind, value))).find((id) => id !== undefined);
}
