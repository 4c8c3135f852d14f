import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Handler } from '../http/handler.ts';
import { toMetricResource } from './document/event-resource.ts';
import { existingEvent } from './get-compat-event.ts';
import { pickAttributes } from './query/sparse.ts';

export function getCompatEventMetric(stores: StoreData): Handler<Operations, 'getCompatEventMetric'> {
  return async ({ request: { path, query = {} }, caller, base }) => {
    const sql = stores.of(caller.storeId);
    const metric = toMetricResource(await existingEvent(sql, caller, path.id), base());
    return { status: 200, body: { data: pickAttributes(metric, query['fields[metric]']) } };
  };
}
