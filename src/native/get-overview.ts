import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { stepOfSettings } from '../domain/reports/overview/first-steps.ts';
import { readOverview } from '../domain/reports/overview/overview.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';

export function getOverview(stores: StoreData): Handler<Operations, 'getOverview'> {
  return async ({ caller: { storeId, scopes } }) => {
    const { attention, firstSteps } = await readOverview(stores.of(storeId), storeId, scopes);
    const settings = await readStoreSettings(stores.shared, storeId);
    const body = {
      attention: attention.map(({ since, ...item }) => ({ ...item, since: since?.toISOString() ?? null })),
      first_steps: [stepOfSettings(settings), ...firstSteps].map(({ kind, isDone }) => ({ kind, is_done: isDone })),
    };
    return { status: 200, body };
  };
}
