import { newId } from '../../ids/uuid-v7.ts';
import { IDENTIFIER_KINDS, type IdentifierKind, type Identifiers, lookedUpAs, ownedAs } from '../identifiers.ts';
import type { Violation } from '../service-error.ts';
import type { Draft } from './draft.ts';

/** The owners of identifiers, and the ids that exist: `ownerKey(kind, value)` → profile id. */
export type Owners = Map<string, string>;
type ReadonlyOwners = ReadonlyMap<string, string>;

export interface IdentityResolution {
  profileId: string;
  created: boolean;
  /** Identifiers without an owner, which this profile owns from now on. */
  claimed: [IdentifierKind, string][];
  /** Identifiers that stay with another profile. */
  foreign: [IdentifierKind, string][];
  /** Why the draft is refused; it then claims nothing. */
  refusal: Violation | undefined;
}

export function ownerKey(kind: IdentifierKind | 'id', value: string): string {
  return `${kind}:${value}`;
}

/** Returns the given identifiers by precedence. */
export function givenIdentifiers(identifiers: Identifiers): [IdentifierKind, string][] {
  const pairs: [IdentifierKind, string][] = [];
  for (const kind of IDENTIFIER_KINDS) {
    const value = identifiers[kind];
    if (value !== undefined) pairs.push([kind, value]);
  }
  return pairs;
}

/** Returns what has to be looked up to find the owners of given identifiers. */
export function lookedUpIdentifiers(identifiers: Identifiers): [IdentifierKind, string][] {
  const given = givenIdentifiers(identifiers);
  if (!identifiers.spellings) return given;
  return given.flatMap(([kind, value]) =>
    lookedUpAs(identifiers, kind, value).map((spelling): [IdentifierKind, string] => [kind, spelling]),
  );
}

/** Returns the owner of a given identifier: of the first of its spellings that has one. */
export function ownerOf(
  identifiers: Identifiers,
  kind: IdentifierKind,
  value: string,
  owners: ReadonlyOwners,
): string | undefined {
  if (!identifiers.spellings) return owners.get(ownerKey(kind, value));
  const found = lookedUpAs(identifiers, kind, value).map((spelling) => owners.get(ownerKey(kind, spelling)));
  return found.find((id) => id !== undefined);
}

/** Returns the owner of the first of given identifiers, by precedence, that has one. */
export function firstOwner(identifiers: Identifiers, owners: ReadonlyOwners): string | undefined {
  return ownerOfFirst(givenIdentifiers(identifiers), identifiers, owners);
}

function ownerOfFirst(
  given: readonly [IdentifierKind, string][],
  identifiers: Identifiers,
  owners: ReadonlyOwners,
): string | undefined {
  for (const [kind, value] of given) {
    const owner = ownerOf(identifiers, kind, value, owners);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** Returns the identifiers that a draft may claim, if it is trusted: all that it gives, and further e-mail addresses. */
export function claimableIdentifiers({ identifiers, addEmails = [] }: Draft): [IdentifierKind, string][] {
  return [...givenIdentifiers(identifiers), ...addEmails.map(asEmail)];
}

/** Returns all identifiers whose owners decide what becomes of a draft. */
export function decisiveIdentifiers({ identifiers, addEmails }: Draft): [IdentifierKind, string][] {
  const lookedUp = lookedUpIdentifiers(identifiers);
  return addEmails ? [...lookedUp, ...addEmails.map(asEmail)] : lookedUp;
}

function asEmail(email: string): [IdentifierKind, string] {
  return ['email', email];
}

/**
 * Finds the profile of a draft: the one whose id it gives, otherwise the owner of its first deciding identifier that has
 * one, otherwise a new one. The draft owns what it claims once `assignClaims` is called.
 */
export function resolveIdentity(draft: Draft, owners: ReadonlyOwners): IdentityResolution {
  const { identifiers } = draft;
  const owner =
    draft.profileId === undefined
      ? ownerOfFirst(decidingIdentifiers(draft), identifiers, owners)
      : owners.get(ownerKey('id', draft.profileId));
  const profileId = owner ?? newId();
  const claimed: [IdentifierKind, string][] = [];
  const foreign: [IdentifierKind, string][] = [];
  let refusal: Violation | undefined;
  if (draft.profileId !== undefined && !owner) refusal = { path: ['id'], problem: 'is not the id of a profile' };
  const mayClaim = !draft.isUntrusted || owner === undefined;
  for (const [kind, value] of mayClaim ? claimableIdentifiers(draft) : []) {
    if (draft.isUntrusted && kind === 'external_id') continue;
    const taken = ownerOf(identifiers, kind, value, owners);
    if (taken === undefined || taken === profileId) {
      for (const spelling of ownedAs(identifiers, kind, value)) {
        if (!owners.has(ownerKey(kind, spelling))) claimed.push([kind, spelling]);
      }
    } else {
      foreign.push([kind, value]);
      if (draft.onIdentifierConflict === 'refuse')
        refusal ??= { path: ['identifiers', kind], problem: 'belongs to another profile' };
    }
  }
  return { profileId, created: owner === undefined, claimed: refusal ? [] : claimed, foreign, refusal };
}

function decidingIdentifiers({ identifiers, isUntrusted }: Draft): [IdentifierKind, string][] {
  const given = givenIdentifiers(identifiers);
  if (!isUntrusted) return given;
  const first = given.findIndex(([kind]) => kind !== 'external_id');
  return first < 0 ? given : given.slice(0, first + 1);
}

/** Assigns claimed identifiers to their profile, so that later drafts of the batch find it. */
export function assignClaims({ profileId, claimed }: IdentityResolution, owners: Owners): void {
  for (const [kind, value] of claimed) owners.set(ownerKey(kind, value), profileId);
}
