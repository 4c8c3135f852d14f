import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { DAY } from '../domain/time/duration.ts';
import { readReport } from '../domain/tracking/attribution/report.ts';
import type { Handler } from '../http/handler.ts';
import { dateOf, toDays } from './days.ts';
import { ordersOf, renderRevenue } from './representations/revenue.ts';

export function getAttribution(stores: StoreData): Handler<Operations, 'getAttribution'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { first, last } = toDays(query);
    const groupBy = query.group_by ?? 'source';
    const sourceId = query.source_id?.toLowerCase();
    const report = await readReport(stores.of(storeId), storeId, {
      ...{ groupBy, sourceId },
      from: first * DAY,
      to: (last + 1) * DAY,
    });
    const groups = report.groups.map(({ source, sourceId: ofSource, stepId, templateId, variant, date, revenue }) => ({
      source,
      source_id: ofSource,
      step_id: stepId,
      template_id: templateId,
      variant,
      date,
      order_count: ordersOf(revenue),
      revenue: revenue.map(renderRevenue),
    }));
    const body = {
      from: dateOf(first),
      to: dateOf(last),
      group_by: groupBy,
      order_count: ordersOf(report.revenue),
      revenue: report.revenue.map(renderRevenue),
      groups,
      is_cut: report.isCut,
    };
    return { status: 200, body };
  };
}
