import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readRevenue } from '../domain/orders/revenue.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import { zoned } from '../domain/time/local.ts';
import type { Handler } from '../http/handler.ts';
import { dateOf, toDays } from './days.ts';
import { renderSums } from './representations/orders.ts';

export function getRevenue(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getRevenue'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { timeZone, currency } = await readStoreSettings(stores.shared, storeId);
    const [zone, now, interval] = [timeZone ?? 'UTC', Date.now(), query.interval ?? 'day'];
    const { first, last } = toDays({ to: zoned(now, zone).toPlainDate().toString(), ...query });
    const [from, to] = [dateOf(first), dateOf(last)];
    const range = { first: Temporal.PlainDate.from(from), last: Temporal.PlainDate.from(to), zone, interval, now };
    const all = { ...range, compare: query.compare };
    const { totals, intervals, comparison, isComplete, isCut } = await slots.use(storeId, () =>
      readRevenue(stores.of(storeId), storeId, all, currency),
    );
    const body = {
      ...{ from, to, interval, time_zone: zone, is_complete: isComplete, is_cut: isCut },
      totals: renderSums(totals),
      intervals: intervals.map(({ start, sums }) => ({ start, ...renderSums(sums) })),
      comparison: comparison && { ...comparison, totals: renderSums(comparison.totals) },
    };
    return { status: 200, body };
  };
}
