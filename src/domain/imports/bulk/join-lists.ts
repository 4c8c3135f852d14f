import type { Sql } from '../../../db/orm.ts';
import { findListsByName } from '../../lists/find-by-name.ts';
import { joinList, MAX_MEMBERS } from '../../lists/members.ts';
import type { Outcome } from '../../write/draft.ts';

/** Lists that the profiles of a job join: each takes a row for each profile. */
const MAX_LISTS = 10;

/** What a job says of a profile that could not join a list. */
export const FULL = `was stored, but a list that it was to join already has ${MAX_MEMBERS.toLocaleString('en')} members`;

/**
 * Lets the profiles of a chunk join the first of the named lists that there are. Returns the indices of those that could
 * not join all of them, as one is full.
 */
export async function joinLists(
  tx: Sql,
  storeId: string,
  names: readonly string[],
  outcomes: readonly Outcome[],
): Promise<ReadonlySet<number>> {
  const found = await findListsByName(tx, storeId, names);
  const known = new Set(names.flatMap((name) => found.get(name)?.id ?? []));
  const wanted = [...known].slice(0, MAX_LISTS).sort();
  const joinedAt = new Date();
  const joining = outcomes.flatMap((outcome, index) =>
    'profileId' in outcome ? [{ index, profileId: outcome.profileId, joinedAt }] : [],
  );
  const full = new Set<number>();
  for (const id of wanted) {
    const joined = await joinList(tx, storeId, id, joining, { how: 'import', source: null });
    for (const { index, profileId } of joining) if (joined?.get(profileId) === 'full') full.add(index);
  }
  return full;
}
