import type { Caller } from './api-keys/api-keys.ts';
import type { Draft, Profile, ProfileChange } from './write/draft.ts';
import type { Recorder } from './write/group-commit.ts';

/** What a profile is known by, and what changes of it. */
export type ProfileInput = ProfileChange;

/**
 * Finds or creates the profile and changes it. Throws `validation_error` on an identifier that another profile owns,
 * on an id that no profile has, and on attributes that would be too many.
 */
export async function upsertProfile(
  recorder: Recorder,
  caller: Caller,
  input: ProfileInput,
): Promise<{ profile: Profile; created: boolean }> {
  const recorded = await recorder.record(caller.storeId, profileDraft(input));
  return { profile: recorded.profile as Profile, created: recorded.profileCreated };
}

export function profileDraft(input: ProfileInput): Draft {
  return { ...input, taken: 'refuse' };
}
