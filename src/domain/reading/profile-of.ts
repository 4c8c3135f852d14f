import type { Sql } from '../../db/orm.ts';
import type { Identifiers } from '../identifiers.ts';
import { firstOwner, lookedUpIdentifiers } from '../write/identity-resolution.ts';
import { findExisting } from '../write/look-up.ts';

/** Returns the id of the profile that owns the first of the identifiers, by precedence, that any profile owns. */
export async function findProfileOf(db: Sql, storeId: string, identifiers: Identifiers): Promise<string | undefined> {
  const { owners } = await findExisting(db, storeId, lookedUpIdentifiers(identifiers), []);
  return firstOwner(identifiers, owners);
}
