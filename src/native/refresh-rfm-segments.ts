import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import { refreshRfm } from '../domain/rfm/rfm.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';
import { renderRfm } from './representations/rfm.ts';

export function refreshRfmSegments(
  writing: WithConnection,
  stores: StoreData,
  slots: ReportSlots,
): Handler<Operations, 'refreshRfmSegments'> {
  return async ({ caller }) => {
    const { storeId } = caller;
    const { currency } = await readStoreSettings(stores.shared, storeId);
    const rfm = await slots.use(storeId, () => writing(storeId, (db) => refreshRfm(db, caller, { currency })));
    return { status: 200, body: renderRfm(rfm), isRepeatable: true };
  };
}
