import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findAutomation } from '../domain/automations/find-automations.ts';
import { readRuns } from '../domain/automations/reading/runs.ts';
import { currentId } from '../domain/profile-aliases.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { toPageRequest, toTimeRange } from './query.ts';
import { renderRun } from './representations/run.ts';

export function listAutomationRuns(stores: StoreData): Handler<Operations, 'listAutomationRuns'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const sql = stores.of(storeId);
    const { id } = existing(await findAutomation(sql, storeId, automationId(path.id)));
    const { status, step: stepId, version, profile_id: asked } = query;
    const profileId = asked === undefined ? undefined : await currentId(sql, storeId, asked);
    const filter = { automationId: id, status, stepId, version, profileId, ...toTimeRange(query) };
    const { items, next } = await readRuns(sql, storeId, filter, toPageRequest(query));
    return { status: 200, body: { runs: items.map(renderRun), next_cursor: next } };
  };
}
