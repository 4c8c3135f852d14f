import type { Operations } from '../../generated/native/operations.gen.ts';
import { exitRun as endRun } from '../domain/automations/run-actions.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { existingRun, noSuchRun } from './get-run.ts';
import { renderRun } from './representations/run.ts';

export function exitRun(writing: WithConnection, versions: VersionCache): Handler<Operations, 'exitRun'> {
  return async ({ request, caller: { storeId, actor } }) => {
    const id = request.path.id.toLowerCase();
    if (!isId(id)) throw noSuchRun();
    const run = await writing(storeId, async (db) => {
      await endRun(db, storeId, id, actor.id, versions);
      return await existingRun(db, storeId, id);
    });
    return { status: 200, body: renderRun(run), isRepeatable: true };
  };
}
