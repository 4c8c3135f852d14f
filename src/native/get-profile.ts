import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Caller } from '../domain/caller.ts';
import { readUnconfirmed } from '../domain/confirmations/unconfirmed.ts';
import type { Consent } from '../domain/consent/consent.ts';
import { readConsents } from '../domain/consent/read-consents.ts';
import type { Profile } from '../domain/profile.ts';
import { findProfile } from '../domain/reading/profiles.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { renderProfileWithConsent } from './representations/profile.ts';

export function getProfile(stores: StoreData): Handler<Operations, 'getProfile'> {
  return async ({ request, caller }) => {
    const sql = stores.of(caller.storeId);
    const asked = request.path.id.toLowerCase();
    const profile = await existingProfile(sql, caller, asked);
    const consents = await readConsents(sql, caller.storeId, [profile.id]);
    const unconfirmed = await readUnconfirmed(sql, caller.storeId, profile.id);
    const consent = consents.get(profile.id) as Consent;
    return { status: 200, body: renderProfileWithConsent(profile, consent, unconfirmed, asked) };
  };
}

/** Returns a profile of the caller's store. Throws `not_found` if there is none. */
export async function existingProfile(sql: Sql, caller: Caller, id: string): Promise<Profile> {
  const profile = await findProfile(sql, caller, id);
  if (!profile) throw new ServiceError('not_found', 'There is no such profile');
  return profile;
}
