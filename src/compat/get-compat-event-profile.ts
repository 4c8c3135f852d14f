import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findProfile } from '../domain/reading/profiles.ts';
import { requireScope } from '../http/bind-contract.ts';
import type { Handler } from '../http/handler.ts';
import { existingEvent } from './get-compat-event.ts';
import { toProfileResources } from './profile-resources.ts';
import { noSuchProfile } from './update-compat-profile.ts';

export function getCompatEventProfile(stores: StoreData): Handler<Operations, 'getCompatEventProfile'> {
  return async ({ request: { path, query = {} }, caller, base }) => {
    const sql = stores.of(caller.storeId);
    requireScope(caller, 'profiles:read');
    const { profileId } = await existingEvent(sql, caller, path.id);
    const profile = await findProfile(sql, caller, profileId);
    if (!profile) throw noSuchProfile();
    const [data] = await toProfileResources(sql, caller, [profile], query, base());
    return { status: 200, body: { data: data as NonNullable<typeof data> } };
  };
}
