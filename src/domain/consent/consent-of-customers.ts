import type { Sql } from '../../db/orm.ts';
import { invalid, type Violation } from '../service-error.ts';
import type { Draft, ProfileChange } from '../write/draft.ts';
import { lookedUpIdentifiers, ownerKey, ownerOf } from '../write/identity-resolution.ts';
import { findExisting } from '../write/look-up.ts';
import type { Origin } from '../write/profile-history.ts';
import { recordInTransaction } from '../write/record-batch.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { SuppressedIdentifier } from '../write/suppressed.ts';
import { chosenLists } from './chosen-lists.ts';
import { type Channel, type ChosenList, type ConsentChange, OPT_IN_REASONS } from './consent.ts';
import { followLists } from './follow-lists.ts';
import { recordConsents } from './record-consents.ts';

/** What a customer, named by identifiers, has chosen. */
export interface CustomerConsent {
  profile: Pick<ProfileChange, 'profileId' | 'identifiers' | 'patch' | 'isUntrusted'>;
  changes: NamedChange[];
}

/** A change of one customer; `listName`: a choice for the list of that `id` or `source_id`. */
export type NamedChange = Omit<ConsentChange, 'profileId' | 'list' | 'awaitsConfirmation'> & {
  listName?: string | undefined;
};

/** Which opt-ins are not taken at their word, but have their customers asked. */
export interface Confirming {
  /** Returns those of some changes that are to be confirmed. */
  choose: (tx: Sql, storeId: string, changes: readonly ConsentChange[]) => Promise<ReadonlySet<ConsentChange>>;
  /** Has the customers asked, as the last of what a transaction does. */
  ask: (tx: Sql, storeId: string, changes: readonly ConsentChange[]) => Promise<void>;
}

interface ConsentOptions {
  confirming?: Confirming | undefined;
  /** Where the store keeps a history of its customers: who sends it. */
  origin?: Origin | undefined;
  andThen?: (tx: Sql) => Promise<void>;
}

/** The identifier through which a channel reaches a customer. */
const ADDRESS = { email: 'email', sms: 'phone' } as const satisfies Record<Channel, string>;

/**
 * Records what customers have chosen, in one transaction, in which they also join and leave the lists of their choices.
 * Customers who are not known yet get a profile, so that a choice to opt out is never lost. Where two profiles own the
 * address and the number, each gets the consent of its own. With `confirming`, opt-ins that it chooses are recorded in the
 * history alone, and their customers asked. `andThen` is done in the same transaction. Throws `validation_error` for a profile
 * id that no profile has, and for an identifier that is suppressed, unless anybody may have sent it, which drops what that customer has chosen; violations begin
 * with the index of the customer.
 */
export async function recordConsentOfCustomers(
  db: Sql,
  storeId: string,
  customers: readonly CustomerConsent[],
  { confirming, origin, andThen }: ConsentOptions = {},
): Promise<void> {
  const drafts = customers.map(({ profile, changes }): Draft => {
    const isHistorical = changes.length > 0 && changes.every((change) => change.isHistorical);
    return { ...profile, origin, onIdentifierConflict: 'ignore', isHistorical };
  });
  await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const outcomes = await recordInTransaction(tx, storeId, drafts, { returnProfiles: false });
      const violations: Violation[] = [];
      const profileIds = outcomes.map((outcome, i) => {
        if (!(outcome instanceof Error)) return outcome.profileId;
        if (outcome instanceof SuppressedIdentifier && customers[i]?.profile.isUntrusted) return undefined;
        if (!('violations' in outcome) || outcome.violations.length === 0) throw outcome;
        violations.push(...outcome.violations.map(({ path, problem }) => ({ path: [i, ...path], problem })));
        return '';
      });
      const [first, ...others] = violations;
      if (first) throw invalid(first, ...others);
      const ownerOfChannel = await findOwners(tx, storeId, customers);
      const listOf = await findLists(tx, storeId, customers);
      const changes = customers.flatMap(({ profile, changes: own }, i) =>
        own.flatMap(({ listName, ...change }): ConsentChange[] => {
          const profileId = ownerOfChannel(profile, change.channel) ?? profileIds[i];
          return profileId === undefined ? [] : [{ ...change, profileId, list: listOf(listName) }];
        }),
      );
      const { decided, asked } = await withAwaiting(tx, storeId, changes, confirming);
      await recordConsents(tx, storeId, decided);
      await followLists(tx, storeId, decided);
      if (asked.length > 0) await confirming?.ask(tx, storeId, asked);
      await andThen?.(tx);
    }),
  );
}

/** Returns changes of which some await confirmation, and for which of them their customers are to be asked. */
export async function withAwaiting(
  tx: Sql,
  storeId: string,
  changes: readonly ConsentChange[],
  confirming: Pick<Confirming, 'choose'> | undefined,
): Promise<{ decided: readonly ConsentChange[]; asked: readonly ConsentChange[] }> {
  const asked = await confirming?.choose(tx, storeId, changes);
  if (!asked?.size) return { decided: changes, asked: [] };
  return { decided: changes.map((one) => (asked.has(one) ? { ...one, ...AWAITING } : one)), asked: [...asked] };
}

const AWAITING = { awaitsConfirmation: true, reason: OPT_IN_REASONS.asked } as const;

/** The same for customers who are known already; others are left out. */
export async function recordConsentOfKnown(
  db: Sql,
  storeId: string,
  customers: readonly CustomerConsent[],
): Promise<void> {
  await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const ownerOfChannel = await findOwners(tx, storeId, customers);
      const changes = customers.flatMap(({ profile, changes: own }) =>
        own.flatMap(({ listName: _, ...change }): ConsentChange[] => {
          const profileId = ownerOfChannel(profile, change.channel);
          return profileId === undefined ? [] : [{ ...change, profileId }];
        }),
      );
      await recordConsents(tx, storeId, changes);
    }),
  );
}

type OwnerOf = (profile: CustomerConsent['profile'], channel: Channel) => string | undefined;

/** Finds who owns the addresses and numbers that are given. */
async function findOwners(tx: Sql, storeId: string, customers: readonly CustomerConsent[]): Promise<OwnerOf> {
  const given = customers.flatMap(({ profile, changes }) =>
    changes.flatMap(({ channel }) =>
      lookedUpIdentifiers(profile.identifiers).filter(([kind]) => kind === ADDRESS[channel]),
    ),
  );
  const distinct = [...new Map(given.map((pair) => [ownerKey(...pair), pair])).values()];
  const { owners } = await findExisting(tx, storeId, distinct, []);
  return ({ identifiers }, channel) => {
    const value = identifiers[ADDRESS[channel]];
    return value === undefined ? undefined : ownerOf(identifiers, ADDRESS[channel], value, owners);
  };
}

/** Finds the lists of the choices, before anything is compared: a list has several names, and one consent. */
async function findLists(
  tx: Sql,
  storeId: string,
  customers: readonly CustomerConsent[],
): Promise<(name: string | undefined) => ChosenList | undefined> {
  const names = customers.flatMap(({ changes }) => changes.flatMap(({ listName }) => listName ?? []));
  const listOf = await chosenLists(tx, storeId, names);
  return (name) => (name === undefined ? undefined : listOf(name));
}
