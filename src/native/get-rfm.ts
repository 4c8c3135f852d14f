import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import { readRfm } from '../domain/rfm/rfm.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';
import { renderRfm } from './representations/rfm.ts';

export function getRfm(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getRfm'> {
  return async ({ caller: { storeId } }) => {
    const { currency } = await readStoreSettings(stores.shared, storeId);
    const rfm = await slots.use(storeId, () => readRfm(stores.of(storeId), storeId, currency));
    return { status: 200, body: renderRfm(rfm) };
  };
}
