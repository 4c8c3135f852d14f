import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { reportCustomers } from '../domain/reports/customers/report.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';

export function getCustomersReport(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getCustomersReport'> {
  return async ({ caller: { storeId } }) => {
    const { currency } = await readStoreSettings(stores.shared, storeId);
    const { report, at } = await slots.useOnce(storeId, ['customers', currency], () =>
      reportCustomers(stores.of(storeId), storeId, { currency }),
    );
    const { profiles, repeating, orders, distribution, gaps, values } = report;
    const body = {
      ...{ is_complete: report.isComplete, is_cut: report.isCut, is_estimated: report.isEstimated },
      ...{ profile_count: profiles, repeat_profile_count: repeating, order_count: orders },
      repeat_rate: profiles === 0 ? null : repeating / profiles,
      orders_per_profile: profiles === 0 ? null : orders / profiles,
      distribution: distribution.map(({ from, to, profiles: profile_count }) => ({ from, to, profile_count })),
      seconds_between_orders: gaps && {
        lower_quartile: gaps.lowerQuartile,
        median: gaps.median,
        upper_quartile: gaps.upperQuartile,
      },
      lifetime_values: values.map(({ currency: of, profiles: profile_count, average, median }) => ({
        ...{ currency: of, profile_count, average_amount: average, median_amount: median },
      })),
      computed_at: new Date(at).toISOString(),
    };
    return { status: 200, body };
  };
}
