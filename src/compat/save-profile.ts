import type { ProfileDocument } from '../../generated/compat/types.gen.ts';
import type { Sql } from '../db/orm.ts';
import type { Caller } from '../domain/caller.ts';
import { readConsents } from '../domain/consent/read-consents.ts';
import { lastEventTime } from '../domain/record-event.ts';
import { recordProfile } from '../domain/record-profile.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { ProfileChange } from '../domain/write/draft.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import { reportAt } from './document/error.ts';
import { toProfileDocument } from './document/profile.ts';
import { type ProfileView, showsSubscriptions, withSubscriptions } from './profile-resources.ts';

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
  { request, caller, base }: { request: { query?: ProfileView }; caller: Caller; base(): string },
  change: ProfileChange,
): Promise<{ document: ProfileDocument; created: boolean }> {
  const { profile, created } = await reportAt(['data'], recordProfile(groupCommit, caller, change));
  const { id } = profile;
  const read = <Result>(work: (db: Sql) => Promise<Result>) => reading(caller.storeId, work);
  const lastEventAt = created ? null : await read((db) => lastEventTime(db, caller, id));
  const consents = showsSubscriptions(request.query)
    ? await read((db) => readConsents(db, caller.storeId, [id]))
    : undefined;
  const { data } = toProfileDocument(profile, lastEventAt, `${base()}/profiles/${id}`);
  return { document: { data: withSubscriptions(data, consents?.get(id)) }, created };
}
