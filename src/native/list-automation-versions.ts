import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listVersions } from '../domain/automations/versions.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { toPageRequest } from './query.ts';
import { renderVersionSummary } from './representations/automation.ts';

export function listAutomationVersions(stores: StoreData): Handler<Operations, 'listAutomationVersions'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const id = automationId(path.id);
    const { items, next } = existing(await listVersions(stores.of(storeId), storeId, id, toPageRequest(query)));
    return { status: 200, body: { versions: items.map(renderVersionSummary), next_cursor: next } };
  };
}
