import type { IdentifierKind } from '../identifiers.ts';
import type { Draft } from './draft.ts';
import {
  assignClaims,
  decisiveIdentifiers,
  type IdentityResolution,
  type Owners,
  ownerKey,
  resolveIdentity,
} from './identity-resolution.ts';
import { keyOf, storeKey } from './look-up.ts';

/** Returns the distinct identifiers of the drafts. */
export function identifiersOf(drafts: readonly Draft[]): [IdentifierKind, string][] {
  const all = drafts.flatMap(decisiveIdentifiers);
  if (!drafts.some(({ addEmails }) => addEmails)) return all;
  return [...new Map(all.map((pair) => [ownerKey(...pair), pair])).values()];
}

/** Finds or creates each draft's profile on the assumption that no draft is refused or gives up an identifier. */
export function expectProfiles(drafts: readonly Draft[], current: Owners): Map<Draft, IdentityResolution> {
  const owners = new Map(current);
  const seen = new Set<string>();
  const expected = new Map<Draft, IdentityResolution>();
  for (const draft of drafts) {
    const resolution = resolveIdentity(draft, owners);
    expected.set(draft, resolution);
    // A key repeated in the batch is a replay of its first draft, and must not claim anything either.
    const key = storeKey(draft);
    const repeated = key !== undefined && seen.has(keyOf(key));
    if (key) seen.add(keyOf(key));
    if (!repeated) assignClaims(resolution, owners);
  }
  return expected;
}

/** Returns the existing profiles that may have to be changed. */
export function changingProfiles(
  drafts: readonly Draft[],
  expected: ReadonlyMap<Draft, IdentityResolution>,
): Set<string> {
  const ids = new Set<string>();
  for (const draft of drafts) {
    const resolution = expected.get(draft);
    if (resolution && mayChangeProfile(draft, resolution)) ids.add(resolution.profileId);
  }
  return ids;
}

/** Whether recording a draft may change the profile that it is about: an existing one has to be locked for it. */
export function mayChangeProfile(draft: Draft, { created, claimed, refusal }: IdentityResolution): boolean {
  if (created || refusal) return false;
  return !draft.event || draft.patch !== undefined || draft.dropEmails !== undefined || claimed.length > 0;
}
