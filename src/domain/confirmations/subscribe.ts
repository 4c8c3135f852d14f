import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import type { ConsentChange } from '../consent/consent.ts';
import { type Confirming, type CustomerConsent, recordConsentOfCustomers } from '../consent/consent-of-customers.ts';
import { askToConfirm } from './ask.ts';

/**
 * Records what customers have chosen, as somebody says who is not the customer: where they subscribe to e-mail of a list
 * with double opt-in, they are asked to confirm it by a message instead. Throws as `recordConsentOfCustomers` and
 * `askToConfirm` do.
 */
export async function subscribeCustomers(
  db: Sql,
  { storeId, origin }: Pick<Caller, 'storeId' | 'origin'>,
  customers: readonly CustomerConsent[],
): Promise<void> {
  await recordConsentOfCustomers(db, storeId, customers, { confirming: CONFIRMING, origin });
}

/** How those who subscribe to a list with double opt-in are asked. */
export const CONFIRMING: Confirming = { choose: chooseUnproven, ask: askToConfirm };

/**
 * Returns the choices that are to be confirmed: what was chosen in the past was proven then, who is subscribed to e-mail has
 * nothing to prove, and a choice that a later one has overtaken is not asked for.
 */
async function chooseUnproven(
  tx: Sql,
  storeId: string,
  changes: readonly ConsentChange[],
): Promise<ReadonlySet<ConsentChange>> {
  const concerned = changes.filter(
    ({ channel, kind, list, isHistorical }) =>
      channel === 'email' && kind === 'subscribed' && list?.isDoubleOptIn && !isHistorical,
  );
  if (concerned.length === 0) return new Set();
  const { rows } = await sql<{ profileId: string; status: string; changed: number }>`
    select c.profile_id as "profileId", c.status, (extract(epoch from c.changed_at) * 1000)::float8 as changed
    from unnest(${uuids([...new Set(concerned.map(({ profileId }) => profileId))])}::uuid[]) as w (id)
    cross join lateral (
      select * from consent where store_id = ${storeId} and profile_id = w.id and channel = 'email' limit 1
    ) c
    where c.status <> 'never'`.execute(tx);
  const known = new Map(rows.map((row) => [row.profileId, row]));
  return new Set(
    concerned.filter(({ profileId, changedAt, isNow }) => {
      const consent = known.get(profileId);
      if (!consent) return true;
      return consent.status !== 'subscribed' && (isNow || changedAt.getTime() > consent.changed);
    }),
  );
}
