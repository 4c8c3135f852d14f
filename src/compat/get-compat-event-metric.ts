import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import type { Handler } from '../http/handler.ts';
import { toMetricResource } from './document/event-resource.ts';
import { existingEvent } from './get-compat-event.ts';
import { pickAttributes } from './query/sparse.ts';

export function getCompatEventMetric(sql: Sql): Handler<Operations, 'getCompatEventMetric'> {
  return async ({ request: { path, query = {} }, caller, base }) => {
    const metric = toMetricResource(await existingEvent(sql, caller, path.id), base());
    return { status: 200, body: { data: pickAttributes(metric, query['fields[metric]']) } };
  };
}
