import type { Sql } from '../../db/orm.ts';
import { findProfileIds } from '../write/look-up.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { Channel, Consent, ConsentChange } from './consent.ts';
import { readConsents } from './read-consents.ts';
import { recordConsents } from './record-consents.ts';

/**
 * Records changes of one profile's consent, and returns it with the id of the profile and the channels in which something took
 * effect; undefined if the store has no such profile.
 */
export async function updateConsent(
  db: Sql,
  storeId: string,
  profileId: string,
  changes: readonly ConsentChange[],
): Promise<{ id: string; consent: Consent; changed: ReadonlySet<Channel> } | undefined> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const id = (await findProfileIds(tx, storeId, [profileId])).get(profileId);
      if (id === undefined) return undefined;
      const applied = await recordConsents(
        tx,
        storeId,
        changes.map((change) => ({ ...change, profileId: id })),
      );
      const consents = await readConsents(tx, storeId, [id]);
      const changed = new Set([...applied].map(({ channel }) => channel));
      return { id, consent: consents.get(id) as Consent, changed };
    }),
  );
}
