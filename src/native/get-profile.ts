import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import type { Caller } from '../domain/caller.ts';
import type { Profile } from '../domain/profile.ts';
import { findProfile } from '../domain/reading/profiles.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { renderProfile } from './representations/profile.ts';

export function getProfile(sql: Sql): Handler<Operations, 'getProfile'> {
  return async ({ request, caller }) => ({
    status: 200,
    body: renderProfile(await existingProfile(sql, caller, request.path.id)),
  });
}

/** Returns a profile of the caller's store. Throws `not_found` if there is none. */
export async function existingProfile(sql: Sql, caller: Caller, id: string): Promise<Profile> {
  const profile = await findProfile(sql, caller, id);
  if (!profile) throw new ServiceError('not_found', 'There is no such profile');
  return profile;
}
