import type { Caller } from './caller.ts';
import type { Profile } from './profile.ts';
import type { Draft, ProfileChange } from './write/draft.ts';
import type { GroupCommit } from './write/group-commit.ts';

/** What a profile is known by, and what changes of it. */
export type ProfileInput = ProfileChange;

/**
 * Finds or creates the profile and changes it. Throws `validation_error` on an identifier that another profile owns,
 * on an id that no profile has, and on attributes that would be too many.
 */
export async function upsertProfile(
  groupCommit: GroupCommit,
  caller: Caller,
  input: ProfileInput,
): Promise<{ profile: Profile; created: boolean }> {
  const recorded = await groupCommit.record(caller.storeId, profileDraft(input));
  return { profile: recorded.profile as Profile, created: recorded.profileCreated };
}

export function profileDraft(input: ProfileInput): Draft {
  return { ...input, onIdentifierConflict: 'refuse' };
}
