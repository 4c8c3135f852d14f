import type { Operations } from '../../generated/native/operations.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import { IDENTIFIERS_BY_PROFILE } from '../db/background/migrations.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { mergeProfiles as merge, previewMerge } from '../domain/merges/begin.ts';
import { invalid, overloaded, ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { renderMerge, renderMergePreview } from './representations/merge.ts';

export function mergeProfiles(
  writing: WithConnection,
  versions: VersionCache,
  background: SchemaProgress,
): Handler<Operations, 'mergeProfiles'> {
  return async ({
    request: { path, body },
    caller: {
      storeId,
      actor: { id: askedBy },
      origin,
    },
  }) => {
    if (!isId(path.id)) throw new ServiceError('not_found', 'There is no such profile');
    if (!isId(body.from)) throw invalid({ path: ['from'], problem: 'is not the id of a profile' });
    if (!background.isComplete(IDENTIFIERS_BY_PROFILE)) {
      throw overloaded('Customers can be merged once an upgrade is complete; try again later');
    }
    const request = { profileId: path.id.toLowerCase(), fromId: body.from.toLowerCase(), askedBy, origin };
    if (body.dry_run) {
      const preview = await writing(storeId, (db) => previewMerge(db, storeId, request, versions));
      return { status: 200, body: renderMergePreview(preview) };
    }
    const merged = await writing(storeId, (db) => merge(db, storeId, request, versions));
    return { status: 202, body: renderMerge(merged), isRepeatable: true };
  };
}
