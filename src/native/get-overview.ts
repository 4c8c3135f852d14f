import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readOverview } from '../domain/reports/overview/overview.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import type { Handler } from '../http/handler.ts';

export function getOverview(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getOverview'> {
  return async ({ caller: { storeId, scopes } }) => {
    const { attention, firstSteps } = await slots.use(storeId, () => readOverview(stores.of(storeId), storeId, scopes));
    const body = {
      attention: attention.map(({ since, ...item }) => ({ ...item, since: since?.toISOString() ?? null })),
      first_steps: firstSteps.map(({ kind, isDone }) => ({ kind, is_done: isDone })),
    };
    return { status: 200, body };
  };
}
