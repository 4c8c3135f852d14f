import type { Sql } from '../../db/sql.ts';
import type { Channel, ConsentChange } from '../consent/consent.ts';
import { recordConsents } from '../consent/record-consents.ts';
import { findProfileIds } from '../write/look-up.ts';
import type { AddressDigest } from './core/address-digest.ts';
import { suppressAddresses } from './suppressions.ts';

/** What was told of the address or the reader of a message. */
export interface Heeded {
  profileId: string;
  channel: Channel;
  /** Null once it is forgotten. */
  address: string | null;
  /** There is no such address, its owner has complained, or does not want any more. */
  what: 'bounce' | 'complaint' | 'opt-out';
}

const SUPPRESSIONS = [
  ['bounce', 'hard_bounce'],
  ['complaint', 'complaint'],
] as const;

/**
 * Nothing is sent any more to an address that does not exist, or whose owner has complained, whoever has it; and the
 * customer's consent shows it. Of customers that there are not any more, only the address counts.
 */
export async function heedFeedback(
  tx: Sql,
  storeId: string,
  told: readonly Heeded[],
  digestOf: AddressDigest,
): Promise<void> {
  if (told.length === 0) return;
  for (const [what, reason] of SUPPRESSIONS) {
    const addresses = told.filter((one) => one.what === what).flatMap(({ address }) => address ?? []);
    if (addresses.length > 0) await suppressAddresses(tx, storeId, addresses, digestOf, reason);
  }
  const known = new Set(
    await findProfileIds(
      tx,
      storeId,
      told.map(({ profileId }) => profileId),
    ),
  );
  const change = { changedAt: new Date(), isNow: true, source: 'message' } as const;
  await recordConsents(
    tx,
    storeId,
    told.flatMap(({ profileId, channel, what }): ConsentChange[] => {
      if (!known.has(profileId)) return [];
      const of = { ...change, profileId, channel };
      if (what === 'bounce') return [{ ...of, kind: 'suppressed', reason: 'HARD_BOUNCE' }];
      const optOut: ConsentChange = { ...of, kind: 'unsubscribed' };
      return what === 'opt-out' ? [optOut] : [{ ...of, kind: 'suppressed', reason: 'SPAM_COMPLAINT' }, optOut];
    }),
  );
}
