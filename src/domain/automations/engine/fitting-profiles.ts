import type { Sql } from '../../../db/sql.ts';
import { measureProfiles } from '../../write/look-up.ts';

/** Bytes of customers' attributes that one transaction may have to know. One customer may have 5 MB. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Returns how many of some customers, from the first, may be known together: at least one. */
export async function countFitting(tx: Sql, storeId: string, profileIds: readonly string[]): Promise<number> {
  const sizes = await measureProfiles(tx, storeId, [...new Set(profileIds)]);
  const counted = new Set<string>();
  let bytes = 0;
  for (const [i, id] of profileIds.entries()) {
    if (counted.has(id)) continue;
    counted.add(id);
    bytes += sizes.get(id) ?? 0;
    if (i > 0 && bytes > MAX_BYTES) return i;
  }
  return profileIds.length;
}
