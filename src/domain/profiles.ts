import { isDeepStrictEqual } from 'node:util';
import type { Caller } from './api-keys.ts';
import { invalid } from './errors.ts';
import type { Identifiers } from './identifiers.ts';
import type { Attributes, Profile } from './write/draft.ts';
import type { Recorder } from './write/recorder.ts';

/** Attributes that a profile may have. */
const MAX_ATTRIBUTES = 400;

export interface ProfileInput {
  /** Normalised, at least one. */
  identifiers: Identifiers;
  attributes: Attributes;
}

/**
 * Finds or creates the profile and merges the attributes. Throws `validation_error` on an identifier that another
 * profile owns, and on attributes that would be too many.
 */
export async function upsertProfile(
  recorder: Recorder,
  caller: Caller,
  { identifiers, attributes }: ProfileInput,
): Promise<{ profile: Profile; created: boolean }> {
  const change = (old: Attributes) => mergeAttributes(old, attributes);
  const recorded = await recorder.record(caller.storeId, { identifiers, change, taken: 'refuse' });
  return { profile: recorded.profile as Profile, created: recorded.profileCreated };
}

/** Key by key: a value replaces, null removes, what is absent stays. The old object where nothing changes. */
export function mergeAttributes(old: Attributes, changes: Attributes): Attributes {
  const merged = { ...old };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete merged[key];
    else merged[key] = value;
  }
  if (Object.keys(merged).length > MAX_ATTRIBUTES) {
    throw invalid({ path: ['attributes'], problem: `would give the profile more than ${MAX_ATTRIBUTES} attributes` });
  }
  return isDeepStrictEqual(merged, old) ? old : merged;
}
