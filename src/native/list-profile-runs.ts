import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readRuns } from '../domain/automations/reading/runs.ts';
import type { Handler } from '../http/handler.ts';
import { existingProfile } from './get-profile.ts';
import { toPageRequest, toTimeRange } from './query.ts';
import { renderRun } from './representations/run.ts';

export function listProfileRuns(stores: StoreData): Handler<Operations, 'listProfileRuns'> {
  return async ({ request: { path, query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { id: profileId } = await existingProfile(sql, caller, path.id);
    const filter = { profileId, status: query.status, ...toTimeRange(query) };
    const { items, next } = await readRuns(sql, caller.storeId, filter, toPageRequest(query));
    return { status: 200, body: { runs: items.map(renderRun), next_cursor: next } };
  };
}
