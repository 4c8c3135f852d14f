import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { rangeBefore } from '../domain/orders/ranges.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import { readReport, readTotals } from '../domain/tracking/attribution/report.ts';
import type { Handler } from '../http/handler.ts';
import { ordersOf, renderRevenue, renderTotals } from './representations/revenue.ts';
import { toCompared, toDaysIn } from './store-days.ts';

export function getAttribution(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getAttribution'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const sql = stores.of(storeId);
    const days = toDaysIn(query.time_zone ?? 'UTC', query);
    const groupBy = query.group_by ?? 'source';
    const range = { groupBy, sourceId: query.source_id?.toLowerCase(), zone: days.timeZone };
    const before = rangeBefore(toCompared(days, query.compare));
    const { report, compared } = await slots.use(storeId, async () => ({
      report: await readReport(sql, storeId, { ...range, from: days.from.getTime(), to: days.to.getTime() }),
      compared: before && (await readTotals(sql, storeId, { ...range, ...before.span })),
    }));
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
      from: days.first,
      to: days.last,
      time_zone: days.timeZone,
      group_by: groupBy,
      order_count: ordersOf(report.revenue),
      revenue: report.revenue.map(renderRevenue),
      groups,
      comparison: before && compared ? { ...before.days, totals: renderTotals(compared) } : null,
      is_cut: report.isCut,
    };
    return { status: 200, body };
  };
}
