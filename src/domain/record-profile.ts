import type { Caller } from './caller.ts';
import type { Profile } from './profile.ts';
import type { Draft, ProfileChange } from './write/draft.ts';
import type { GroupCommit } from './write/group-commit.ts';
import type { Origin } from './write/profile-history.ts';

/** A profile's identifiers, and what to change in it. */
export type ProfileInput = ProfileChange;

/**
 * Finds or creates a profile and changes it. Throws `validation_error` for an identifier that another profile owns
 * (unless the input is untrusted), an id that no profile has, or too many attributes.
 */
export async function recordProfile(
  groupCommit: GroupCommit,
  caller: Caller,
  input: ProfileInput,
): Promise<{ profile: Profile; created: boolean }> {
  const recorded = await groupCommit.record(caller.storeId, profileDraft(input, caller.origin));
  return { profile: recorded.profile as Profile, created: recorded.profileCreated };
}

export function profileDraft(input: ProfileInput, origin?: Origin): Draft {
  return { ...input, origin, onIdentifierConflict: input.isUntrusted ? 'ignore' : 'refuse' };
}
