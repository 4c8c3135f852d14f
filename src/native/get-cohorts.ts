import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { reportCohorts } from '../domain/reports/cohorts/report.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import { invalid } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { toStoreDays } from './store-days.ts';

const DEFAULT_MONTHS = 12;

export function getCohorts(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getCohorts'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { months = DEFAULT_MONTHS, to, currency } = query;
    const days = await toStoreDays(stores, storeId, to === undefined ? {} : { from: to, to });
    const last = Temporal.PlainDate.from(days.last);
    const first = last.with({ day: 1 }).subtract({ months: months - 1 });
    if (first.year < 1) throw invalid({ path: ['to'], problem: 'is too long ago' });
    const asked = { first, last, zone: days.timeZone, ofStore: days.currency, currency };
    const { report, at } = await slots.useOnce(storeId, ['cohorts', asked], () =>
      reportCohorts(stores.of(storeId), storeId, asked),
    );
    const body = {
      ...{ from: first.toString(), to: days.last, time_zone: days.timeZone },
      ...{ currency: report.currency, currencies: report.currencies },
      ...{ is_complete: report.isComplete, is_estimated: report.isEstimated },
      cohorts: report.cohorts.map(({ month, profiles, months: own }) => ({
        month,
        profile_count: profiles,
        months: own.map(({ profiles: profile_count, orders, net }) => ({
          profile_count,
          share: profiles === 0 ? null : profile_count / profiles,
          order_count: orders,
          net_amount: net,
        })),
      })),
      computed_at: new Date(at).toISOString(),
    };
    return { status: 200, body };
  };
}
