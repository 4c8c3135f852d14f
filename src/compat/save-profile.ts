import type { ProfileDocument } from '../../generated/compat/types.gen.ts';
import type { Caller } from '../domain/caller.ts';
import { lastEventTime } from '../domain/record-event.ts';
import { recordProfile } from '../domain/record-profile.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { ProfileChange } from '../domain/write/draft.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import { reportAt } from './document/error.ts';
import { toProfileDocument } from './document/profile.ts';

export interface ProfileParts {
  groupCommit: GroupCommit;
  reading: WithConnection;
}

/**
 * Creates or updates a profile and returns its document; `base` is the surface's address. Throws `validation_error` as
 * `recordProfile` does, with paths into the request's document.
 */
export async function saveProfile(
  { groupCommit, reading }: ProfileParts,
  { caller, base }: { caller: Caller; base(): string },
  change: ProfileChange,
): Promise<{ document: ProfileDocument; created: boolean }> {
  const { profile, created } = await reportAt(['data'], recordProfile(groupCommit, caller, change));
  const lastEventAt = created ? null : await reading(caller.storeId, (db) => lastEventTime(db, caller, profile.id));
  return { document: toProfileDocument(profile, lastEventAt, `${base()}/profiles/${profile.id}`), created };
}
