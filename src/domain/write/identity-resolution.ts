import { newId } from '../../ids/uuid-v7.ts';
import { IDENTIFIER_KINDS, type IdentifierKind, type Identifiers } from '../identifiers.ts';
import type { Violation } from '../service-error.ts';
import type { Draft } from './draft.ts';

/** Who owns each identifier, and which ids there are: `ownerKey(kind, value)` → profile id. */
export type Owners = Map<string, string>;
type ReadonlyOwners = ReadonlyMap<string, string>;

export interface IdentityResolution {
  profileId: string;
  created: boolean;
  /** Identifiers that nobody owned, and that are this profile's from now on. */
  claimed: [IdentifierKind, string][];
  /** Why the draft can't go on; then it claims nothing. */
  refusal: Violation | undefined;
}

export function ownerKey(kind: IdentifierKind | 'id', value: string): string {
  return `${kind}:${value}`;
}

/** The identifiers that are given, in the order in which they decide the profile. */
export function givenIdentifiers(identifiers: Identifiers): [IdentifierKind, string][] {
  const pairs: [IdentifierKind, string][] = [];
  for (const kind of IDENTIFIER_KINDS) {
    const value = identifiers[kind];
    if (value !== undefined) pairs.push([kind, value]);
  }
  return pairs;
}

/** The identifiers that a draft may claim: those that decide its profile, and further e-mail addresses. */
export function claimableIdentifiers({ identifiers, addEmails = [] }: Draft): [IdentifierKind, string][] {
  return [...givenIdentifiers(identifiers), ...addEmails.map((email): [IdentifierKind, string] => ['email', email])];
}

/**
 * Finds the profile of a draft: the one whose id it gives, else that of the first identifier that has an owner, else a
 * new one. The draft owns what it claims once `claim` is called.
 */
export function resolveIdentity(draft: Draft, owners: ReadonlyOwners): IdentityResolution {
  const deciding =
    draft.profileId === undefined ? givenIdentifiers(draft.identifiers) : [['id', draft.profileId] as const];
  const owner = deciding.map(([kind, value]) => owners.get(ownerKey(kind, value))).find((id) => id !== undefined);
  const profileId = owner ?? newId();
  const claimed: [IdentifierKind, string][] = [];
  let refusal: Violation | undefined;
  if (draft.profileId !== undefined && !owner) refusal = { path: ['id'], problem: 'is not the id of a profile' };
  for (const [kind, value] of claimableIdentifiers(draft)) {
    const taken = owners.get(ownerKey(kind, value));
    if (taken === undefined) claimed.push([kind, value]);
    else if (taken !== profileId && draft.onIdentifierConflict === 'refuse') {
      refusal ??= { path: ['identifiers', kind], problem: 'belongs to another profile' };
    }
  }
  return { profileId, created: owner === undefined, claimed: refusal ? [] : claimed, refusal };
}

/** Gives what was claimed to its profile, so that later drafts of the batch find it. */
export function assignClaims({ profileId, claimed }: IdentityResolution, owners: Owners): void {
  for (const [kind, value] of claimed) owners.set(ownerKey(kind, value), profileId);
}
