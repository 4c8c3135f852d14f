import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findProfile } from '../domain/reading/profiles.ts';
import { resolveProfileId } from '../domain/reading/source-ids.ts';
import type { Handler } from '../http/handler.ts';
import { toProfileResources } from './profile-resources.ts';
import { noSuchProfile } from './update-compat-profile.ts';

export function getCompatProfile(stores: StoreData): Handler<Operations, 'getCompatProfile'> {
  return async ({ request: { path, query = {} }, caller, base }) => {
    const sql = stores.of(caller.storeId);
    const id = await resolveProfileId(sql, caller.storeId, path.id);
    const profile = id && (await findProfile(sql, caller, id));
    if (!profile) throw noSuchProfile();
    const [data] = await toProfileResources(sql, caller, [profile], query, base());
    return { status: 200, body: { data: data as NonNullable<typeof data> } };
  };
}
