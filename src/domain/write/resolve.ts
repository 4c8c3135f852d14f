import { v7 as uuidv7 } from 'uuid';
import { IDENTIFIER_KINDS, type IdentifierKind, type Identifiers } from '../identifiers.ts';
import type { Draft } from './draft.ts';

/** Who owns each identifier: `ownerKey(kind, value)` → profile id. */
export type Owners = Map<string, string>;

export interface Resolution {
  profileId: string;
  created: boolean;
  /** Identifiers that nobody owned, and that are this profile's from now on. */
  claimed: IdentifierKind[];
  /** Identifiers that another profile owns; where the draft refuses that, nothing was claimed. */
  taken: IdentifierKind[];
}

export function ownerKey(kind: IdentifierKind, value: string): string {
  return `${kind}:${value}`;
}

/** The identifiers that are given, in the order in which they decide the profile. */
export function given(identifiers: Identifiers): [IdentifierKind, string][] {
  const pairs: [IdentifierKind, string][] = [];
  for (const kind of IDENTIFIER_KINDS) {
    const value = identifiers[kind];
    if (value !== undefined) pairs.push([kind, value]);
  }
  return pairs;
}

/**
 * Finds the profile of a draft: that of the first identifier that has an owner, else a new one. Adds what the draft
 * claims to `owners`, so that later drafts of the same batch find it.
 */
export function resolve(draft: Draft, owners: Owners): Resolution {
  const pairs = given(draft.identifiers);
  const deciding = pairs.find(([kind, value]) => owners.has(ownerKey(kind, value)));
  const profileId = deciding ? (owners.get(ownerKey(...deciding)) as string) : uuidv7();
  const claimed: IdentifierKind[] = [];
  const taken: IdentifierKind[] = [];
  for (const [kind, value] of pairs) {
    const owner = owners.get(ownerKey(kind, value));
    if (owner === undefined) claimed.push(kind);
    else if (owner !== profileId) taken.push(kind);
  }
  if (taken.length === 0 || draft.taken === 'ignore') {
    for (const kind of claimed) owners.set(ownerKey(kind, draft.identifiers[kind] as string), profileId);
  }
  return { profileId, created: deciding === undefined, claimed, taken };
}
