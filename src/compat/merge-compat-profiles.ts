import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import { IDENTIFIERS_BY_PROFILE } from '../db/background/migrations.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { mergeProfiles } from '../domain/merges/begin.ts';
import { currentId } from '../domain/profile-aliases.ts';
import { resolveProfileId } from '../domain/reading/source-ids.ts';
import { invalid, overloaded, ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { noSuchProfile } from './update-compat-profile.ts';

/** Where a document names who is merged. */
const SOURCE = ['data', 'relationships', 'profiles', 'data', 0, 'id'] as const;

export function mergeCompatProfiles(
  writing: WithConnection,
  versions: VersionCache,
  background: SchemaProgress,
): Handler<Operations, 'mergeCompatProfiles'> {
  return async ({ request, caller, base }) => {
    const {
      storeId,
      actor: { id: askedBy },
      origin,
    } = caller;
    const { id, relationships } = request.body.data;
    const [source] = relationships.profiles.data as [(typeof relationships.profiles.data)[number]];
    if (!background.isComplete(IDENTIFIERS_BY_PROFILE)) {
      throw overloaded('Customers can be merged once an upgrade is complete; try again later');
    }
    const winner = await writing(storeId, async (db) => {
      const profileId = await resolveProfileId(db, storeId, id);
      if (profileId === undefined) throw noSuchProfile();
      const fromId = await resolveProfileId(db, storeId, source.id);
      if (fromId === undefined) throw invalid({ path: SOURCE, problem: 'is not the id of a profile' });
      await mergeProfiles(db, storeId, { profileId, fromId, askedBy, origin }, versions).catch(atSource);
      return await currentId(db, storeId, profileId);
    });
    const links = { self: `${base()}/profiles/${winner}` };
    return { status: 201, body: { data: { type: 'profile', id: winner, links } }, isRepeatable: true };
  };
}

/** What the native surface calls `from`. */
function atSource(error: unknown): never {
  const [violation] = error instanceof ServiceError ? error.violations : [];
  if (violation?.path[0] !== 'from') throw error;
  throw invalid({ ...violation, path: SOURCE });
}
