import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readRevenue } from '../domain/orders/revenue.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import type { Handler } from '../http/handler.ts';
import { renderSums } from './representations/orders.ts';
import { toCompared, toStoreDays } from './store-days.ts';

export function getRevenue(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getRevenue'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const days = await toStoreDays(stores, storeId, query);
    const { timeZone: zone, currency, first: from, last: to } = days;
    const interval = query.interval ?? 'day';
    const all = { ...toCompared(days, query.compare), interval };
    const { totals, intervals, comparison, isComplete, isCut, isEstimated } = await slots.use(storeId, () =>
      readRevenue(stores.of(storeId), storeId, all, currency),
    );
    const body = {
      ...{ from, to, interval, time_zone: zone, is_complete: isComplete, is_cut: isCut },
      is_estimated: isEstimated,
      totals: renderSums(totals),
      intervals: intervals.map(({ start, sums }) => ({ start, ...renderSums(sums) })),
      comparison: comparison && { ...comparison, totals: renderSums(comparison.totals) },
    };
    return { status: 200, body };
  };
}
