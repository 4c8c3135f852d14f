import type { Operations } from '../../generated/native/operations.gen.ts';
import type { MessageTotals } from '../../generated/native/types.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { countSentMessages, type SentMessages } from '../domain/reports/sent-messages.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import type { Handler } from '../http/handler.ts';
import { toCompared, toStoreDays } from './store-days.ts';

export function getMessageReport(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getMessageReport'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const days = await toStoreDays(stores, storeId, query);
    const { totals, comparison, isCut } = await slots.use(storeId, () =>
      countSentMessages(stores.of(storeId), storeId, toCompared(days, query.compare)),
    );
    const body = {
      ...{ from: days.first, to: days.last, time_zone: days.timeZone, is_cut: isCut },
      totals: renderTotals(totals),
      comparison: comparison && { ...comparison, totals: renderTotals(comparison.totals) },
    };
    return { status: 200, body };
  };
}

function renderTotals({ email, sms }: SentMessages): MessageTotals {
  return { sent_count: email + sms, email_count: email, sms_count: sms };
}
