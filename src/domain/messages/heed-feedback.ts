import { sql } from 'kysely';
import { rowsById } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import type { Channel, ConsentChange } from '../consent/consent.ts';
import { recordConsents } from '../consent/record-consents.ts';
import type { AddressDigest } from './core/address-digest.ts';
import { addressOn } from './core/decide.ts';
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
  const profiles = await readAddresses(
    tx,
    storeId,
    told.map(({ profileId }) => profileId),
  );
  const change = { changedAt: new Date(), isNow: true, source: 'message' } as const;
  await recordConsents(
    tx,
    storeId,
    told.flatMap(({ profileId, channel, address, what }): ConsentChange[] => {
      const profile = profiles.get(profileId);
      if (!profile) return [];
      const of = { ...change, profileId, channel };
      if (what === 'bounce') {
        // It may be told days later, when the customer has another address, which is well.
        const isCurrent = addressOn(channel, profile) === address;
        return isCurrent ? [{ ...of, kind: 'suppressed', reason: 'HARD_BOUNCE' }] : [];
      }
      const optOut: ConsentChange = { ...of, kind: 'unsubscribed' };
      return what === 'opt-out' ? [optOut] : [{ ...of, kind: 'suppressed', reason: 'SPAM_COMPLAINT' }, optOut];
    }),
  );
}

interface Addresses {
  id: string;
  email: string | null;
  phone: string | null;
}

/** Of the customers that there are, by their ids. */
async function readAddresses(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, Addresses>> {
  const { rows } = await sql<Addresses>`
    select p.id, p.email, p.phone from ${rowsById('profile', storeId, [...new Set(ids)])} p`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}
